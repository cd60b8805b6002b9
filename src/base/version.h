#ifndef POISE_VERSION_H
#define POISE_VERSION_H
#define POISE_VERSION "0.3"
#endif

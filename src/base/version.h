/* version.h: the version of Poise. */
#ifndef POISE_VERSION_H
#define POISE_VERSION_H
#define POISE_VERSION "1.0.0"
#endif

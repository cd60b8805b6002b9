/* names.h: room for the names and paths that settings and files have, with the 0 at their end. */
#ifndef POISE_NAMES_H
#define POISE_NAMES_H
enum { NAME_LENGTH = 64, PATH_LENGTH = 1024 };
#endif

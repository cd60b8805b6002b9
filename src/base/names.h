/* names.h: lengths of names and paths in settings and files, including the terminating 0. */
#ifndef POISE_NAMES_H
#define POISE_NAMES_H
enum { NAME_LENGTH = 64, PATH_LENGTH = 1024 };
#endif

/* random.h: pseudo-random numbers that are the same on every machine. */
#ifndef POISE_RANDOM_H
#define POISE_RANDOM_H
#include <stdint.h>

/* The i-th number of a sequence in -1 .. 1: the finaliser of SplitMix64 (Steele, Lea & Flood 2014). */
static inline double random_number(uint64_t i)
{
    i += 0x9e3779b97f4a7c15u;
    i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
    i = (i ^ i >> 27) * 0x94d049bb133111ebu;
    i ^= i >> 31;
    return (double)(int64_t)(i >> 11) * 0x1p-52 - 1;
}
#endif

/* scalar_setting.h: what a case says of passive scalars, scalars.NAME. */
#ifndef POISE_SCALAR_SETTING_H
#define POISE_SCALAR_SETTING_H

/* run_setting.h: what a run writes and monitors. */
#ifndef POISE_RUN_SETTING_H
#define POISE_RUN_SETTING_H
#include <stdbool.h>
#include "case/case.h"
#include "flow/flow_setting.h"
#include "io/output.h"

struct output_setting {
    char directory[PATH_LENGTH];        /* default NAME.out in the working directory */
    char (*field)[NAME_LENGTH];         /* names of fields to write; their owners are not known here */
    int n_fields;
    struct case_place fields_place;
    enum output_format format;
    int every;                  /* iterations or steps between written fields; 0 = at the end only */
    double interval;            /* time between written fields; steps are cut to end there; 0 = none */
    double *time;               /* [n_times] further times of written fields, likewise */
    int n_times;
    int checkpoint_every;       /* as every, for the checkpoint */
    double checkpoint_minutes;  /* of the wall clock, likewise; 0 = none */
    int control_every;          /* iterations between checks for the control file (control.h); 0 = never */
    int report_every;           /* iterations between rows of the CSV files */
};

struct line_setting { char name[NAME_LENGTH]; struct case_place place; double from[3], to[3]; int length, points; };
struct line_settings { struct line_setting *item; int n; };

struct probe_setting { char name[NAME_LENGTH]; struct case_place place; double at[3]; int length; };
struct probe_settings { struct probe_setting *item; int n; };

struct force_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    char (*boundary)[NAME_LENGTH];
    int n_boundaries;
    double about[3];            /* reference point of the moments */
    double scale;               /* coefficients = force / scale; 0 = none printed (scale = rho U^2 A / 2) */
};
struct force_settings { struct force_setting *item; int n; };

struct surface_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    char (*boundary)[NAME_LENGTH];
    int n_boundaries;
    char (*field)[NAME_LENGTH]; /* names of fields, and of quantities that only surfaces have (surface.c) */
    int n_fields;
    int every;                  /* iterations or steps between written faces; 0: only when fields are written */
};
struct surface_settings { struct surface_setting *item; int n; };

struct plane_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    double point[3], normal[3];
    int length, normal_length;  /* number of components of the vectors */
    char (*field)[NAME_LENGTH]; /* names of fields */
    int n_fields;
    int every;                  /* as in surfaces */
};
struct plane_settings { struct plane_setting *item; int n; };

struct averages_setting {
    bool given;
    struct case_place place;
    double from;                /* start: time, or iteration of a steady run */
    char (*field)[NAME_LENGTH]; /* names of fields that are averaged in all cells */
    int n_fields;
};

struct monitor_setting {        /* convergence.NAME: also wait until this quantity is constant */
    char name[NAME_LENGTH];
    struct case_place place;
    char of[NAME_LENGTH];       /* a probe, a force or a surface */
    char quantity[NAME_LENGTH]; /* a column of its file */
    double tolerance;           /* largest relative change ... */
    int over;                   /* ... over this many iterations */
};
struct monitor_settings { struct monitor_setting *item; int n; };

struct nusselt_setting {        /* the scales of Nusselt numbers in heat.csv */
    bool given;
    double length, temperature_difference;
    double reference;           /* a Nusselt number to compare with */
    int reference_given;
};

struct bubbles_setting { bool given; int every; };      /* connected parts of the second fluid: steps between rows */

extern const struct section output_section, line_section, probe_section, force_section, surface_section,
    planes_section, averages_section, monitor_section, nusselt_section, bubbles_section;
struct case_reader;
void output_setting_check(struct case_reader *r, struct output_setting *o, const struct flow_setting *c, bool in_time);
/* Adds a field to those written by default. */
void output_setting_add(struct case_reader *r, struct output_setting *o, const char *name);
void line_setting_check(struct case_reader *r, const struct line_settings *l);
/* Checks that these are names of boundaries of the case, and not of periodic ones.  They are in `boundaries` of element
 * i of the section. */
void boundary_names_check(struct case_reader *r, const char *section, int i, char (*name)[NAME_LENGTH], int n,
                          const struct boundary_settings *b);
void plane_setting_check(struct case_reader *r, const struct plane_settings *p);
/* end: of the run, in the same unit. */
void averages_setting_check(struct case_reader *r, struct averages_setting *a, double end);
/* names: of all n probes, forces and surfaces. */
void monitor_setting_check(struct case_reader *r, const struct monitor_settings *m, const char *const *names, int n);
/* heat: the case has a temperature. */
void nusselt_setting_check(struct case_reader *r, struct nusselt_setting *n, const struct flow_setting *f);
void bubbles_setting_check(struct case_reader *r, struct bubbles_setting *b);
#endif

/* The list of fields: registration, lookup by name, column names (field.h). */
#include "assembly/field.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

void fields_add(struct fields *all, const struct field *f)
{
    for (int i = 0; i < all->n; i++)
        if ((all->field[i].use & f->use) && !strcmp(all->field[i].name, f->name))
            die("two fields \"%s\" with the same use", f->name);
    RESIZE(all->field, all->n + 1);
    all->field[all->n++] = *f;
}

void fields_free(struct fields *all)
{
    free(all->field), free(all->owner);
    *all = (struct fields){0};
}

void fields_look(struct fields *all)
{
    for (struct field *f = all->field; f < all->field + all->n; f++)
        if (f->make_gradient) f->gradient = f->make_gradient(f->owner);
}

const struct field *fields_find(const struct fields *all, const char *name, unsigned use)
{
    for (int i = 0; i < all->n; i++)
        if ((all->field[i].use & use) && !strcmp(all->field[i].name, name)) return &all->field[i];
    return NULL;
}

int fields_columns(const struct fields *all, unsigned use)
{
    int n = 0;
    for (int i = 0; i < all->n; i++) if (all->field[i].use & use) n += all->field[i].components;
    return n;
}

static void field_column(const struct field *f, int component, char *text, int size)
{
    if (f->components == 1) snprintf(text, (size_t)size, "%s", f->name);
    else snprintf(text, (size_t)size, "%s_%c", f->name, "xyz"[component]);
}

void fields_column(const struct fields *all, unsigned use, int k, char *text, int size)
{
    for (int i = 0; i < all->n; i++) {
        if (!(all->field[i].use & use)) continue;
        if (k < all->field[i].components) return field_column(&all->field[i], k, text, size);
        k -= all->field[i].components;
    }
    die("a list of fields has no column %d", k);
}

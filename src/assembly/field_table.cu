/* The kernel that evaluates a table (field_table.h). */
#include "assembly/field_table.h"

INDEX_KERNEL(field_table_values, struct field_table_args) { a->to[i] = field_table_at(&a->table, a->x[i]); }

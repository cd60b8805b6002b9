/* XDMF files, which describe the run's HDF5 files to ParaView (index.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/writer.h"
#include "io/index.h"

/* Length in bytes of the UTF-8 character (RFC 3629) at the start of the text, if XML allows it; else 0. */
static int character(const unsigned char *s)
{
    static const struct { uint32_t least; unsigned char mask, lead; } form[] = {
        {0x20, 0x80, 0x00}, {0x80, 0xe0, 0xc0}, {0x800, 0xf0, 0xe0}, {0x10000, 0xf8, 0xf0}};
    for (int n = 1; n <= 4; n++) {
        if ((s[0] & form[n - 1].mask) != form[n - 1].lead) continue;
        uint32_t code = s[0] & (unsigned char)~form[n - 1].mask;
        for (int k = 1; k < n; k++) {
            if ((s[k] & 0xc0) != 0x80) return 0;
            code = code << 6 | (s[k] & 0x3f);
        }
        bool good = code >= form[n - 1].least && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
                    code != 0xfffe && code != 0xffff;
        return good ? n : 0;
    }
    return 0;
}

/* Escapes arbitrary bytes for XML; invalid characters become U+FFFD. */
static void put_escaped(FILE *out, const char *text)
{
    for (int n; *text; text += n ? n : 1) {
        n = character((const unsigned char *)text);
        if (n == 0) fputs("\xef\xbf\xbd", out);
        else if (*text == '&') fputs("&amp;", out);
        else if (*text == '<') fputs("&lt;", out);
        else if (*text == '"') fputs("&quot;", out);
        else fwrite(text, 1, (size_t)n, out);
    }
}

static void put_grid(FILE *out, const struct topology *t, const struct written_step *s)
{
    bool mixed = !strcmp(t->name, "Mixed");
    fprintf(out, "      <Grid Name=\"mesh\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", s->time);
    fprintf(out, "        <Topology TopologyType=\"%s\"%s NumberOfElements=\"%d\">\n", t->name,
            t->line && !mixed ? " NodesPerElement=\"2\"" : "", t->n);
    fprintf(out, "          <DataItem Format=\"HDF\" NumberType=\"Int\" Precision=\"%d\" Dimensions=\"", mixed ? 8 : 4);
    if (mixed) fprintf(out, "%" PRId64, t->length);
    else fprintf(out, "%d %" PRId64, t->n, t->length / t->n);
    fprintf(out, "\">mesh.h5:/xdmf/topology</DataItem>\n        </Topology>\n        <Geometry GeometryType=\"XYZ\">\n"
            "          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"%d 3\">"
            "mesh.h5:/vertices</DataItem>\n        </Geometry>\n", t->n_vertices);
    for (int k = 0; k < s->n_fields; k++) {
        bool vector = s->field[k].components == 3;
        fprintf(out, "        <Attribute Name=\"");
        put_escaped(out, s->field[k].name);
        fprintf(out, "\" AttributeType=\"%s\" Center=\"Cell\">\n"
                "          <DataItem Format=\"HDF\" NumberType=\"Float\" Precision=\"8\" Dimensions=\"%d%s\">"
                "fields/%06" PRId64 ".h5:/", vector ? "Vector" : "Scalar", t->n, vector ? " 3" : "", s->step);
        put_escaped(out, s->field[k].name);
        fprintf(out, "</DataItem>\n        </Attribute>\n");
    }
    fprintf(out, "      </Grid>\n");
}

bool xdmf_write(const struct index *x, const char *path, struct error *e)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) die("no memory for the .xdmf");
    fprintf(out, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n    <Grid Name=\"");
    put_escaped(out, x->name);
    fprintf(out, "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (int i = 0; i < x->n_steps; i++) put_grid(out, x->shape, &x->step[i]);
    fprintf(out, "    </Grid>\n  </Domain>\n</Xdmf>\n");
    if (fclose(out)) die("no memory for the .xdmf");
    return writer_give(&(struct written){.path = path, .data = text, .bytes = bytes, .release = free, .context = text},
                       e);
}

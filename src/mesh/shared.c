/* Writes a complete mesh to a file and maps it on all ranks (shared.h). */
#include "mesh/shared.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/memory.h"
#include "gpu/ranks.h"

enum { N_ARRAYS = 29, ALIGNED = 64, PATH_ROOM = PATH_LENGTH + 64 };

/* The file begins with this, followed by the arrays, each at a multiple of ALIGNED bytes. */
struct head {
    struct mesh m;              /* its pointers only indicate which arrays exist */
    size_t bytes[N_ARRAYS];
};

struct mesh_map { char *address, path[PATH_ROOM]; size_t bytes; };

static const size_t place[N_ARRAYS] = {
#define AT(name) offsetof(struct mesh, name)
    AT(vertex), AT(cell_type), AT(cell_start), AT(cell_vertex), AT(cell_region), AT(region), AT(patch),
    AT(marked_start), AT(marked_vertex), AT(marked_patch), AT(marked_cell), AT(marked_face), AT(cell_original),
    AT(face_owner), AT(face_neighbour), AT(face_start), AT(face_vertex), AT(cell_face_start), AT(cell_face),
    AT(cell_face_first), AT(joint_face), AT(joint_shift), AT(face_area), AT(face_d), AT(face_r), AT(cell_centre),
    AT(cell_volume), AT(cut), AT(solid)
#undef AT
};

/* In the order of place[]. */
static void count_bytes(const struct mesh *m, size_t bytes[N_ARRAYS])
{
    const size_t c = (size_t)m->n_cells, f = (size_t)m->n_faces, i = (size_t)m->n_internal, b = (size_t)m->n_marked,
                 j = (size_t)m->n_joints, h = (size_t)m->cell_face_start[c], dim = (size_t)m->dim,
                 number = sizeof(int32_t), start = sizeof(int64_t), real = sizeof(double);
    const size_t all[N_ARRAYS] = {
        3 * (size_t)m->n_vertices * real, c, (c + 1) * start, (size_t)m->cell_start[c] * number, c * number,
        (size_t)m->n_regions * sizeof *m->region, (size_t)m->n_patches * sizeof *m->patch,
        (b + 1) * start, b ? (size_t)m->marked_start[b] * number : 0, b * number, b * number, b * number, c * number,
        f * number, i * number, (f + j + 1) * start, (size_t)m->face_start[f + j] * number, (c + 1) * start, h * number,
        h, j * number, 3 * j * real, dim * f * real, dim * f * real, dim * f * real,
        dim * c * real, c * real, ((size_t)ranks_count() + 1) * number,
        (size_t)m->n_regions * sizeof *m->solid};
    memcpy(bytes, all, sizeof all);
}

static void *array_of(const struct mesh *m, int k)
{
    void *array;
    memcpy(&array, (const char *)m + place[k], sizeof array);
    return array;
}
static void set_array(struct mesh *m, int k, void *array) { memcpy((char *)m + place[k], &array, sizeof array); }

static size_t rounded(size_t bytes) { return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED; }

/* Every array is freed as soon as it is written. */
static bool write_file(struct mesh *m, const char *path, struct error *e)
{
    static const char zeros[ALIGNED];
    struct head head;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    memset(&head, 0, sizeof head);
    head.m = *m;
    count_bytes(m, head.bytes);
    bool good = file >= 0 && file_write_all(file, &head, sizeof head) &&
                file_write_all(file, zeros, rounded(sizeof head) - sizeof head);
    for (int k = 0; k < N_ARRAYS && good; k++) {
        size_t bytes = array_of(m, k) ? head.bytes[k] : 0;
        good = file_write_all(file, array_of(m, k), bytes) && file_write_all(file, zeros, rounded(bytes) - bytes);
        if (good) free(array_of(m, k)), set_array(m, k, NULL);
    }
    int reason = errno;
    if (file >= 0 && close(file) && good) good = false, reason = errno;
    errno = reason;
    return good || file_refuse(e, path, "could not be written");
}

static bool map_file(struct mesh *m, const char *path, struct error *e)
{
    struct stat found;
    struct head head;
    size_t at = rounded(sizeof head);
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool good = file >= 0 && !fstat(file, &found) && read(file, &head, sizeof head) == sizeof head;
    NEW(m->map, 1);
    m->map->bytes = good ? (size_t)found.st_size : 0;
    m->map->address = good ? mmap(NULL, m->map->bytes, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    good = m->map->address != MAP_FAILED;
    int reason = errno;
    if (file >= 0) close(file);
    if (!good)
        return refuse(e, EXIT_RESOURCE, "%s: rank %d cannot read it: %s; all ranks must see this folder", path,
                      ranks_own(), strerror(reason));
    head.m.map = m->map, head.m.conducting = m->conducting;
    *m = head.m;
    for (int k = 0; k < N_ARRAYS; k++) {
        if (!array_of(m, k)) continue;
        set_array(m, k, m->map->address + at);
        at += rounded(head.bytes[k]);
    }
    return true;
}

bool mesh_share(struct mesh *m, const char *path, struct error *e)
{
    int before;
    char (*names)[PATH_ROOM];
    if (ranks_count() == 1) return true;
    NEW(names, ranks_count());
    snprintf(names[ranks_own()], PATH_ROOM, "%.*s.%ld-0.part", PATH_LENGTH, path, (long)getpid());
    ranks_gather(names, PATH_ROOM);
    bool good = ranks_agree(ranks_own() || write_file(m, names[0], e), e);
    bool mapped = good && map_file(m, names[0], e);
    good = good && ranks_agree(mapped, e);
    if (mapped) snprintf(m->map->path, PATH_ROOM, "%s", names[0]);
    if (!ranks_own() && (!good || ranks_here(&before) == ranks_count())) unlink(names[0]);
    free(names);
    return good;
}

void mesh_shared_rest(const struct mesh *m) { if (m->map) madvise(m->map->address, m->map->bytes, MADV_DONTNEED); }

void mesh_shared_free(struct mesh *m)
{
    if (m->map->bytes) munmap(m->map->address, m->map->bytes);
    if (!ranks_own() && *m->map->path) unlink(m->map->path);
    free(m->map);
}

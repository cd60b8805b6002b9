/* Times hypre's PCG with BoomerAMG on one system: tests/peers/pressure.py compiles and runs it (mpicc hypre.c -lHYPRE).
 *
 *     hypre SYSTEM SOLUTION REPEAT SETTING|-1 SINGULAR TOLERANCE...
 *
 * SYSTEM, binary: int64 rows, entries; int64 start[rows + 1]; int32 column[entries]; double value[entries], rhs[rows].
 * SETTING -1: all of them.  SINGULAR 1: constants are the null space; the coarsest level is smoothed, not eliminated.
 * SOLUTION: double x[rows] of the last solve, or "-".  One line for each setting and tolerance:
 * setting, name, tolerance, iterations, set-up s, solve s (medians), true relative residual. */
#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PMIS = 8, HMIS = 10, SYMMETRIC_GS = 6, L1_SYMMETRIC_GS = 8, L1_JACOBI = 18 };
static const struct setting { const char *name; int coarsen, relax; double strong; int aggressive; } settings[] = {
    {"HMIS, sym. GS, 0.25", HMIS, SYMMETRIC_GS, 0.25, 0},
    {"HMIS, sym. GS, 0.5", HMIS, SYMMETRIC_GS, 0.5, 0},
    {"HMIS, sym. GS, 0.25, aggressive", HMIS, SYMMETRIC_GS, 0.25, 1},
    {"HMIS, sym. GS, 0.5, aggressive", HMIS, SYMMETRIC_GS, 0.5, 1},
    {"PMIS, sym. GS, 0.25", PMIS, SYMMETRIC_GS, 0.25, 0},
    {"PMIS, sym. GS, 0.25, aggressive", PMIS, SYMMETRIC_GS, 0.25, 1},
    {"HMIS, l1 sym. GS, 0.25", HMIS, L1_SYMMETRIC_GS, 0.25, 0},
    {"HMIS, l1 sym. GS, 0.25, aggressive", HMIS, L1_SYMMETRIC_GS, 0.25, 1},
    {"HMIS, l1-Jacobi, 0.25", HMIS, L1_JACOBI, 0.25, 0},
    {"HMIS, l1-Jacobi, 0.25, aggressive", HMIS, L1_JACOBI, 0.25, 1},
    {"PMIS, l1-Jacobi, 0.25, aggressive", PMIS, L1_JACOBI, 0.25, 1}};
enum { N_SETTINGS = sizeof settings / sizeof *settings };

struct system {
    int first, n;                       /* rows of this process */
    HYPRE_IJMatrix matrix;
    HYPRE_IJVector rhs, solution, residual;
    HYPRE_ParCSRMatrix a;
    HYPRE_ParVector b, x, r;
};

static void fail(const char *what)
{
    fprintf(stderr, "hypre: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void read_at(FILE *in, int64_t at, void *to, size_t size, size_t count)
{
    if (fseeko(in, at, SEEK_SET) || fread(to, size, count, in) != count) fail("the system's file is too short");
}
static void *room(size_t count, size_t size)
{
    void *p = malloc(count * size + 1);
    if (!p) fail("out of memory");
    return p;
}

static void make_vector(HYPRE_IJVector *v, HYPRE_ParVector *p, int first, int n, const double *values)
{
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, first + n - 1, v);
    HYPRE_IJVectorSetObjectType(*v, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(*v);
    if (values) HYPRE_IJVectorSetValues(*v, n, NULL, values);
    HYPRE_IJVectorAssemble(*v);
    HYPRE_IJVectorGetObject(*v, (void **)p);
}

/* Every process reads its own rows. */
static void read_system(struct system *s, const char *path)
{
    int rank, size;
    int64_t head[2];
    FILE *in = fopen(path, "rb");
    if (!in) fail("cannot open the system's file");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    read_at(in, 0, head, sizeof *head, 2);
    s->first = (int)(head[0] * rank / size);
    s->n = (int)(head[0] * (rank + 1) / size) - s->first;
    int64_t at = 16, *start = room(s->n + 1, sizeof *start);
    read_at(in, at + 8 * s->first, start, sizeof *start, s->n + 1);
    at += 8 * (head[0] + 1);
    size_t entries = start[s->n] - start[0];
    int *column = room(entries, sizeof *column), *row = room(s->n, sizeof *row), *count = room(s->n, sizeof *count);
    double *value = room(entries, sizeof *value), *rhs = room(s->n, sizeof *rhs);
    read_at(in, at + 4 * start[0], column, sizeof *column, entries);
    at += 4 * head[1];
    read_at(in, at + 8 * start[0], value, sizeof *value, entries);
    read_at(in, at + 8 * (head[1] + s->first), rhs, sizeof *rhs, s->n);
    for (int i = 0; i < s->n; i++) row[i] = s->first + i, count[i] = (int)(start[i + 1] - start[i]);
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, s->first, s->first + s->n - 1, s->first, s->first + s->n - 1, &s->matrix);
    HYPRE_IJMatrixSetObjectType(s->matrix, HYPRE_PARCSR);
    HYPRE_IJMatrixSetRowSizes(s->matrix, count);
    HYPRE_IJMatrixInitialize(s->matrix);
    HYPRE_IJMatrixSetValues(s->matrix, s->n, count, row, column, value);
    HYPRE_IJMatrixAssemble(s->matrix);
    HYPRE_IJMatrixGetObject(s->matrix, (void **)&s->a);
    make_vector(&s->rhs, &s->b, s->first, s->n, rhs);
    make_vector(&s->solution, &s->x, s->first, s->n, NULL);
    make_vector(&s->residual, &s->r, s->first, s->n, NULL);
    free(start), free(column), free(row), free(count), free(value), free(rhs);
    fclose(in);
}

static double relative_residual(const struct system *s)
{
    double rr, bb;
    HYPRE_ParVectorCopy(s->b, s->r);
    HYPRE_ParCSRMatrixMatvec(-1, s->a, s->x, 1, s->r);
    HYPRE_ParVectorInnerProd(s->r, s->r, &rr);
    HYPRE_ParVectorInnerProd(s->b, s->b, &bb);
    return sqrt(rr / bb);
}

static HYPRE_Solver make_amg(const struct setting *set, int singular)
{
    HYPRE_Solver amg;
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetCoarsenType(amg, set->coarsen);
    HYPRE_BoomerAMGSetInterpType(amg, 6);               /* extended+i */
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetStrongThreshold(amg, set->strong);
    HYPRE_BoomerAMGSetAggNumLevels(amg, set->aggressive);
    HYPRE_BoomerAMGSetRelaxType(amg, set->relax);
    if (singular) HYPRE_BoomerAMGSetCycleRelaxType(amg, set->relax, 3);
    HYPRE_BoomerAMGSetTol(amg, 0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    return amg;
}

static double now(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

/* Set-up and one solve from zero. */
static int solve(struct system *s, const struct setting *set, int singular, double tolerance, double *setup,
                 double *seconds)
{
    HYPRE_Solver pcg, amg = make_amg(set, singular);
    HYPRE_Int iterations;
    HYPRE_ParVectorSetConstantValues(s->x, 0);
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &pcg);
    HYPRE_PCGSetTwoNorm(pcg, 1);
    HYPRE_PCGSetTol(pcg, tolerance);
    HYPRE_PCGSetMaxIter(pcg, 500);
    HYPRE_PCGSetPrecond(pcg, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSolve, (HYPRE_PtrToSolverFcn)HYPRE_BoomerAMGSetup,
                        amg);
    double start = now();
    HYPRE_ParCSRPCGSetup(pcg, s->a, s->b, s->x);
    double middle = now();
    HYPRE_ParCSRPCGSolve(pcg, s->a, s->b, s->x);
    *seconds = now() - middle;
    *setup = middle - start;
    HYPRE_PCGGetNumIterations(pcg, &iterations);
    HYPRE_ParCSRPCGDestroy(pcg);
    HYPRE_BoomerAMGDestroy(amg);
    return iterations;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
static double median(double *v, int n)
{
    qsort(v, n, sizeof *v, by_size);
    return 0.5 * (v[(n - 1) / 2] + v[n / 2]);
}

static void measure(struct system *s, int k, int singular, double tolerance, int repeat)
{
    double *setup = room(repeat, sizeof *setup), *seconds = room(repeat, sizeof *seconds);
    int iterations = 0, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < repeat; i++)
        iterations = solve(s, &settings[k], singular, tolerance, &setup[i], &seconds[i]);
    double residual = relative_residual(s);
    if (rank == 0)
        printf("%d;%s;%g;%d;%.6f;%.6f;%.2e\n", k, settings[k].name, tolerance, iterations, median(setup, repeat),
               median(seconds, repeat), residual);
    fflush(stdout);
    free(setup), free(seconds);
}

/* The processes write in turn. */
static void write_solution(const struct system *s, const char *path)
{
    int rank, size;
    double *x = room(s->n, sizeof *x);
    HYPRE_IJVectorGetValues(s->solution, s->n, NULL, x);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++, MPI_Barrier(MPI_COMM_WORLD)) {
        if (i != rank) continue;
        FILE *out = fopen(path, i ? "ab" : "wb");
        if (!out || fwrite(x, sizeof *x, s->n, out) != (size_t)s->n || fclose(out)) fail("cannot write the solution");
    }
    free(x);
}

int main(int argc, char **argv)
{
    struct system s;
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    if (argc < 7) fail("expected SYSTEM SOLUTION REPEAT SETTING|-1 SINGULAR TOLERANCE...");
    int repeat = atoi(argv[3]), chosen = atoi(argv[4]), singular = atoi(argv[5]);
    if (repeat < 1 || chosen >= N_SETTINGS) fail("REPEAT or SETTING is out of range");
    read_system(&s, argv[1]);
    for (int k = chosen < 0 ? 0 : chosen; k < (chosen < 0 ? N_SETTINGS : chosen + 1); k++)
        for (int i = 6; i < argc; i++) measure(&s, k, singular, atof(argv[i]), repeat);
    if (strcmp(argv[2], "-")) write_solution(&s, argv[2]);
    HYPRE_IJMatrixDestroy(s.matrix);
    HYPRE_IJVectorDestroy(s.rhs), HYPRE_IJVectorDestroy(s.solution), HYPRE_IJVectorDestroy(s.residual);
    HYPRE_Finalize();
    MPI_Finalize();
    return 0;
}

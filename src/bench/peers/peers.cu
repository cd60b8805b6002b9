/* Times products and conjugate gradients of cuSPARSE and cuBLAS (peers.h). */
#include "bench/peers/peers.h"
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <cmath>
#include <cstdio>
#include <vector>

/* A failed call ends the measurement by an exception with a message, and everything is freed by destructors. */
static char message[300];
static void fail(const char *call, const char *what)
{
    snprintf(message, sizeof message, "%s: %s", call, what);
    throw 1;
}
static void check(cudaError_t s, const char *call) { if (s) fail(call, cudaGetErrorString(s)); }
static void check(cusparseStatus_t s, const char *call) { if (s) fail(call, cusparseGetErrorString(s)); }
static void check(cublasStatus_t s, const char *call) { if (s) fail(call, cublasGetStatusString(s)); }
#define CHECK(call) check((call), #call)

enum { FLUSH = 256 << 20, WORKSPACE = 32 << 20, SELL_ROWS = 32, GRAPH_ITERATIONS = 8 };

struct session {
    cudaStream_t stream = NULL;
    cudaEvent_t start = NULL, stop = NULL;
    cusparseHandle_t sparse = NULL;
    cublasHandle_t blas = NULL;
    cusparseSpMatDescr_t matrix = NULL;
    cusparseDnVecDescr_t from = NULL, to = NULL;
    cudaGraphExec_t graph = NULL;
    cusparseSpMVAlg_t algorithm;
    void *buffer = NULL;
    int64_t matrix_bytes = 0;
    double one = 1, zero = 0, *device_one = NULL, *device_zero = NULL;
    std::vector<void *> arrays;

    session()
    {
        CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CHECK(cudaEventCreate(&start));
        CHECK(cudaEventCreate(&stop));
        CHECK(cusparseCreate(&sparse));
        CHECK(cusparseSetStream(sparse, stream));
        CHECK(cusparseSetPointerMode(sparse, CUSPARSE_POINTER_MODE_DEVICE));
        CHECK(cublasCreate(&blas));
        CHECK(cublasSetStream(blas, stream));
        CHECK(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
        CHECK(cublasSetWorkspace(blas, alloc<char>(WORKSPACE), WORKSPACE));
        device_one = upload(&one, 1);
        device_zero = upload(&zero, 1);
    }
    ~session()                          /* members that were not created are NULL; errors here are ignored */
    {
        if (graph) cudaGraphExecDestroy(graph);
        if (from) cusparseDestroyDnVec(from);
        if (to) cusparseDestroyDnVec(to);
        if (matrix) cusparseDestroySpMat(matrix);
        if (blas) cublasDestroy(blas);
        if (sparse) cusparseDestroy(sparse);
        if (start) cudaEventDestroy(start);
        if (stop) cudaEventDestroy(stop);
        for (void *p : arrays) cudaFree(p);
        if (stream) cudaStreamDestroy(stream);
    }
    template <typename T> T *alloc(int64_t n)
    {
        void *p;
        CHECK(cudaMalloc(&p, (size_t)n * sizeof(T)));
        arrays.push_back(p);
        return (T *)p;
    }
    template <typename T> T *upload(const T *host, int64_t n)
    {
        T *p = alloc<T>(n);
        CHECK(cudaMemcpyAsync(p, host, (size_t)n * sizeof(T), cudaMemcpyHostToDevice, stream));
        CHECK(cudaStreamSynchronize(stream));
        return p;
    }
    double seconds()                    /* between the two events */
    {
        float ms;
        CHECK(cudaEventSynchronize(stop));
        CHECK(cudaEventElapsedTime(&ms, start, stop));
        return 1e-3 * ms;
    }
    void spmv()
    {
        CHECK(cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, device_one, matrix, from, device_zero, to,
                           CUDA_R_64F, algorithm, buffer));
    }
};

static void make_csr(session &s, const peers_matrix *a)
{
    int64_t nnz = a->start[a->n];
    std::vector<int32_t> start(a->start, a->start + a->n + 1);
    CHECK(cusparseCreateCsr(&s.matrix, a->n, a->n, nnz, s.upload(start.data(), a->n + 1), s.upload(a->column, nnz),
                            s.upload(a->value, nnz), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                            CUDA_R_64F));
    s.algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
    s.matrix_bytes = nnz * 12 + (a->n + 1) * (int64_t)4;
}

/* Slices of 32 rows, entry k of all rows contiguous; padding has column -1. */
static void make_sliced_ell(session &s, const peers_matrix *a)
{
    int64_t n_slices = (a->n + SELL_ROWS - 1) / SELL_ROWS;
    std::vector<int32_t> first(n_slices + 1);
    for (int64_t i = 0; i < n_slices; i++) {
        int64_t widest = 0;
        for (int64_t r = i * SELL_ROWS; r < (i + 1) * SELL_ROWS && r < a->n; r++)
            if (a->start[r + 1] - a->start[r] > widest) widest = a->start[r + 1] - a->start[r];
        first[i + 1] = first[i] + (int32_t)(widest * SELL_ROWS);
    }
    int64_t stored = first[n_slices];
    std::vector<int32_t> column(stored, -1);
    std::vector<double> value(stored, 0.0);
    for (int64_t r = 0; r < a->n; r++)
        for (int64_t e = a->start[r]; e < a->start[r + 1]; e++) {
            int64_t at = first[r / SELL_ROWS] + (e - a->start[r]) * SELL_ROWS + r % SELL_ROWS;
            column[at] = a->column[e];
            value[at] = a->value[e];
        }
    CHECK(cusparseCreateSlicedEll(&s.matrix, a->n, a->n, a->start[a->n], stored, SELL_ROWS,
                                  s.upload(first.data(), n_slices + 1), s.upload(column.data(), stored),
                                  s.upload(value.data(), stored), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    s.algorithm = CUSPARSE_SPMV_SELL_ALG1;
    s.matrix_bytes = stored * 12 + (n_slices + 1) * 4;
}

/* Prepares to = A from for execution. */
static void make_product(session &s, const peers_matrix *a, enum peers_format f, double *from, double *to)
{
    size_t bytes;
    if (a->start[a->n] > (int64_t)1 << 30) fail("cuSPARSE", "the matrix has more than 2^30 entries");
    if (f == PEERS_CSR) make_csr(s, a);
    else make_sliced_ell(s, a);
    CHECK(cusparseCreateDnVec(&s.from, a->n, from, CUDA_R_64F));
    CHECK(cusparseCreateDnVec(&s.to, a->n, to, CUDA_R_64F));
    CHECK(cusparseSpMV_bufferSize(s.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, s.device_one, s.matrix, s.from,
                                  s.device_zero, s.to, CUDA_R_64F, s.algorithm, &bytes));
    s.buffer = s.alloc<char>((int64_t)bytes + 1);
    if (f == PEERS_CSR)
        CHECK(cusparseSpMV_preprocess(s.sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, s.device_one, s.matrix, s.from,
                                      s.device_zero, s.to, CUDA_R_64F, s.algorithm, s.buffer));
}

static void measure_spmv(const peers_matrix *a, enum peers_format f, int repeat, const double *x, double *y,
                         double *seconds, int64_t *bytes)
{
    session s;
    double *dx = s.upload(x, a->n), *dy = s.alloc<double>(a->n);
    char *flush = s.alloc<char>(FLUSH);
    make_product(s, a, f, dx, dy);
    for (int i = -1; i < repeat; i++) {
        CHECK(cudaMemsetAsync(flush, i & 1, FLUSH, s.stream));
        CHECK(cudaEventRecord(s.start, s.stream));
        s.spmv();
        CHECK(cudaEventRecord(s.stop, s.stream));
        double t = s.seconds();
        if (i >= 0) seconds[i] = t;
    }
    CHECK(cudaMemcpyAsync(y, dy, (size_t)a->n * sizeof *y, cudaMemcpyDeviceToHost, s.stream));
    CHECK(cudaStreamSynchronize(s.stream));
    *bytes = s.matrix_bytes + (int64_t)a->n * 16;
}

/* ---------------------------------------------------------------- conjugate gradients */
struct scalars { double rz, rz_new, pq, rr, alpha, minus_alpha, beta; };
static __global__ void make_alpha(scalars *s) { s->alpha = s->rz / s->pq, s->minus_alpha = -s->alpha; }
static __global__ void make_beta(scalars *s) { s->beta = s->rz_new / s->rz, s->rz = s->rz_new; }

struct vectors { double *x, *r, *z, *p, *q, *inverse; const double *b; scalars *s; };

static void precondition(session &s, const vectors &v, int n)
{
    CHECK(cublasDdgmm(s.blas, CUBLAS_SIDE_LEFT, n, 1, v.r, n, v.inverse, 1, v.z, n));
}

static void begin(session &s, const vectors &v, int n)
{
    CHECK(cudaMemsetAsync(v.x, 0, (size_t)n * 8, s.stream));
    CHECK(cudaMemcpyAsync(v.r, v.b, (size_t)n * 8, cudaMemcpyDeviceToDevice, s.stream));
    precondition(s, v, n);
    CHECK(cudaMemcpyAsync(v.p, v.z, (size_t)n * 8, cudaMemcpyDeviceToDevice, s.stream));
    CHECK(cublasDdot(s.blas, n, v.r, 1, v.z, 1, &v.s->rz));
}

static void iteration(session &s, const vectors &v, int n)
{
    s.spmv();
    CHECK(cublasDdot(s.blas, n, v.p, 1, v.q, 1, &v.s->pq));
    make_alpha<<<1, 1, 0, s.stream>>>(v.s);
    CHECK(cublasDaxpy(s.blas, n, &v.s->alpha, v.p, 1, v.x, 1));
    CHECK(cublasDaxpy(s.blas, n, &v.s->minus_alpha, v.q, 1, v.r, 1));
    precondition(s, v, n);
    CHECK(cublasDdot(s.blas, n, v.r, 1, v.z, 1, &v.s->rz_new));
    CHECK(cublasDdot(s.blas, n, v.r, 1, v.r, 1, &v.s->rr));
    make_beta<<<1, 1, 0, s.stream>>>(v.s);
    CHECK(cublasDscal(s.blas, n, &v.s->beta, v.p, 1));
    CHECK(cublasDaxpy(s.blas, n, s.device_one, v.z, 1, v.p, 1));
    CHECK(cudaGetLastError());
}

static void record(session &s, const vectors &v, int n)
{
    cudaGraph_t graph;
    begin(s, v, n);
    iteration(s, v, n);                 /* one run first, so that the libraries allocate nothing while it is recorded */
    CHECK(cudaStreamSynchronize(s.stream));
    CHECK(cudaStreamBeginCapture(s.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < GRAPH_ITERATIONS; i++) iteration(s, v, n);
    CHECK(cudaStreamEndCapture(s.stream, &graph));
    CHECK(cudaGraphInstantiate(&s.graph, graph, 0));
    CHECK(cudaGraphDestroy(graph));
}

static void measure_cg(const peers_matrix *a, enum peers_format f, int repeat, int iterations, const double *b,
                       double *seconds, int64_t *bytes, double *residual)
{
    session s;
    int n = a->n, graphs = (iterations + GRAPH_ITERATIONS - 1) / GRAPH_ITERATIONS;
    std::vector<double> inverse(n);
    double bb = 0;
    for (int i = 0; i < n; i++) inverse[i] = 1 / a->value[a->start[i]], bb += b[i] * b[i];
    scalars result;
    vectors v = {s.alloc<double>(n), s.alloc<double>(n), s.alloc<double>(n), s.alloc<double>(n), s.alloc<double>(n),
                 s.upload(inverse.data(), n), s.upload(b, n), s.alloc<scalars>(1)};
    make_product(s, a, f, v.p, v.q);
    record(s, v, n);
    for (int i = -1; i < repeat; i++) {
        begin(s, v, n);
        CHECK(cudaEventRecord(s.start, s.stream));
        for (int g = 0; g < graphs; g++) CHECK(cudaGraphLaunch(s.graph, s.stream));
        CHECK(cudaEventRecord(s.stop, s.stream));
        double t = s.seconds();
        if (i >= 0) seconds[i] = t / (graphs * GRAPH_ITERATIONS);
    }
    CHECK(cudaMemcpyAsync(&result, v.s, sizeof result, cudaMemcpyDeviceToHost, s.stream));
    CHECK(cudaStreamSynchronize(s.stream));
    *residual = std::sqrt(result.rr / bb);
    /* product, 2 dots of two vectors, 1 of one, 3 axpy, 1 scal, 1 diagonal */
    *bytes = s.matrix_bytes + (int64_t)n * (16 + 2 * 16 + 8 + 3 * 24 + 16 + 24);
}

/* ---------------------------------------------------------------- functions called by poise bench */
static const char *spmv(const peers_matrix *a, enum peers_format f, int repeat, const double *x, double *y,
                        double *seconds, int64_t *bytes)
{
    try { measure_spmv(a, f, repeat, x, y, seconds, bytes); } catch (int) { return message; }
    return NULL;
}
static const char *cg(const peers_matrix *a, enum peers_format f, int repeat, int iterations, const double *b,
                      double *seconds, int64_t *bytes, double *residual)
{
    try { measure_cg(a, f, repeat, iterations, b, seconds, bytes, residual); } catch (int) { return message; }
    return NULL;
}
extern "C" { extern const struct peers poise_peers; }
const struct peers poise_peers = {spmv, cg};

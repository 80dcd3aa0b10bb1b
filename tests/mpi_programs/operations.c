/* Operations of reductions: those of MPI on many datatypes, and those of the program. */
#include "check.h"
#include <complex.h>
#include <float.h>
#include <stdint.h>

static int rank, ranks;

/* Checks an operation against a loop over the ranks, whose contribution is VALUE at rank r. */
#define REDUCE(TYPE, DATATYPE, OP, VALUE, COMBINED)                                                                   \
    do {                                                                                                              \
        int r = rank;                                                                                                 \
        TYPE own = VALUE, found, a;                                                                                   \
        MPI_Allreduce(&own, &found, 1, DATATYPE, OP, MPI_COMM_WORLD);                                                 \
        r = 0;                                                                                                        \
        a = VALUE;                                                                                                    \
        for (r = 1; r < ranks; r++) {                                                                                 \
            TYPE b = VALUE;                                                                                           \
            a = COMBINED;                                                                                             \
        }                                                                                                             \
        CHECK(found == a);                                                                                            \
    } while (0)

#define INTEGERS(TYPE, DATATYPE)                                                                                      \
    do {                                                                                                              \
        REDUCE(TYPE, DATATYPE, MPI_SUM, 3 * r + 1, a + b);                                                            \
        REDUCE(TYPE, DATATYPE, MPI_PROD, r % 3 + 1, a * b);                                                           \
        REDUCE(TYPE, DATATYPE, MPI_MIN, 5 * r % 7 + 1, a < b ? a : b);                                                \
        REDUCE(TYPE, DATATYPE, MPI_MAX, 5 * r % 7 + 1, a > b ? a : b);                                                \
        REDUCE(TYPE, DATATYPE, MPI_LAND, r != 2, a && b);                                                             \
        REDUCE(TYPE, DATATYPE, MPI_LOR, r == 2, a || b);                                                              \
        REDUCE(TYPE, DATATYPE, MPI_LXOR, 2 * (r % 3 == 0), !a != !b);                                                 \
        REDUCE(TYPE, DATATYPE, MPI_BAND, 127 - (1 << r % 7), a & b);                                                  \
        REDUCE(TYPE, DATATYPE, MPI_BOR, 1 << r % 7, a | b);                                                           \
        REDUCE(TYPE, DATATYPE, MPI_BXOR, 7 * r % 120, a ^ b);                                                         \
    } while (0)

#define REALS(TYPE, DATATYPE)                                                                                         \
    do {                                                                                                              \
        REDUCE(TYPE, DATATYPE, MPI_SUM, 1 / (TYPE)(3 * r + 1), a + b);                                                \
        REDUCE(TYPE, DATATYPE, MPI_PROD, 1 + 1 / (TYPE)(r + 3), a * b);                                               \
        REDUCE(TYPE, DATATYPE, MPI_MIN, 5 * r % 7 - 3, a < b ? a : b);                                                \
        REDUCE(TYPE, DATATYPE, MPI_MAX, 5 * r % 7 - 3, a > b ? a : b);                                                \
    } while (0)

static void numbers(void)
{
    INTEGERS(signed char, MPI_SIGNED_CHAR);
    INTEGERS(unsigned char, MPI_UNSIGNED_CHAR);
    INTEGERS(short, MPI_SHORT);
    INTEGERS(unsigned short, MPI_UNSIGNED_SHORT);
    INTEGERS(int, MPI_INT);
    INTEGERS(unsigned, MPI_UNSIGNED);
    INTEGERS(long, MPI_LONG);
    INTEGERS(unsigned long, MPI_UNSIGNED_LONG);
    INTEGERS(long long, MPI_LONG_LONG_INT);
    INTEGERS(uint64_t, MPI_UINT64_T);
    INTEGERS(MPI_Aint, MPI_AINT);
    INTEGERS(MPI_Count, MPI_COUNT);
    INTEGERS(MPI_Offset, MPI_OFFSET);
    REALS(float, MPI_FLOAT);
    REALS(double, MPI_DOUBLE);
    REALS(long double, MPI_LONG_DOUBLE);
    REALS(double, MPI_REAL8);
    REDUCE(float complex, MPI_C_FLOAT_COMPLEX, MPI_SUM, r + 2 * I * r, a + b);
    REDUCE(double complex, MPI_C_DOUBLE_COMPLEX, MPI_PROD, 1 + (r % 2 ? I : -I), a * b);
    REDUCE(long double complex, MPI_C_LONG_DOUBLE_COMPLEX, MPI_PROD, 1 + (r % 2 ? I : 2 - I), a * b);
    REDUCE(int, MPI_INTEGER, MPI_SUM, r, a + b);
    REDUCE(int, MPI_LOGICAL, MPI_LOR, r == 1, a || b);
    REDUCE(_Bool, MPI_C_BOOL, MPI_LAND, r != 1, a && b);
    REDUCE(unsigned char, MPI_BYTE, MPI_BXOR, 17 * r, a ^ b);
}

static void places(void)
{
    struct {
        double value;
        int place;
    } own[2] = {{rank * 5 % 4, rank}, {1, ranks - rank}}, best[2];
    struct {
        long double value;
        int place;
    } own_long = {-LDBL_MAX / (rank + 1), 3 * rank}, best_long;
    MPI_Allreduce(own, best, 2, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    int first = 0;
    for (int i = 0; i < ranks; i++)
        if (i * 5 % 4 > first * 5 % 4)
            first = i;
    CHECK(best[0].value == first * 5 % 4 && best[0].place == first && best[1].place == 1);
    MPI_Allreduce(&own_long, &best_long, 1, MPI_LONG_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    CHECK(best_long.value == -LDBL_MAX && best_long.place == 0);
}

/* Products of matrices depend on their order. */
typedef struct {
    long of[2][2];
} matrix;

static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    matrix *left = in, *right = inout;
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    CHECK(extent == sizeof(matrix));
    for (int i = 0; i < *count; i++) {
        matrix result = {{{0}}};
        for (int j = 0; j < 8; j++)
            result.of[j / 4][j / 2 % 2] += left[i].of[j / 4][j % 2] * right[i].of[j % 2][j / 2 % 2];
        right[i] = result;
    }
}

#if MPI_VERSION >= 4
static void multiply_many(void *in, void *inout, MPI_Count *count, MPI_Datatype *type)
{
    int small = (int)*count;
    multiply(in, inout, &small, type);
}
#endif

static void check_product(const matrix *product, int last)
{
    /* The product of {{1, i}, {0, 1}} and of {{1, 0}, {1, 1}} in turn. */
    long of[2][2] = {{1, 0}, {0, 1}};
    for (int i = 0; i <= last; i++)
        for (int row = 0; row < 2; row++) {
            if (i % 2)
                of[row][0] += of[row][1];
            else
                of[row][1] += i * of[row][0];
        }
    for (int j = 0; j < 4; j++)
        CHECK(product->of[j / 2][j % 2] == of[j / 2][j % 2]);
}

static void matrices(void)
{
    matrix own[2], product[2];
    MPI_Datatype type;
    MPI_Op op, many;
    int commutes;
    MPI_Type_contiguous(4, MPI_LONG, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(multiply, 0, &op);
#if MPI_VERSION >= 4
    MPI_Op_create_c(multiply_many, 1, &many);
#else
    MPI_Op_create(multiply, 1, &many);
#endif
    MPI_Op_commutative(op, &commutes);
    CHECK(!commutes);
    MPI_Op_commutative(many, &commutes);
    CHECK(commutes);
    MPI_Op_commutative(MPI_SUM, &commutes);
    CHECK(commutes);
    for (int i = 0; i < 2; i++)
        own[i] = rank % 2 ? (matrix){{{1, 0}, {1, 1}}} : (matrix){{{1, rank}, {0, 1}}};
    MPI_Allreduce(own, product, 2, type, op, MPI_COMM_WORLD);
    check_product(&product[0], ranks - 1);
    check_product(&product[1], ranks - 1);
    MPI_Scan(own, product, 2, type, many, MPI_COMM_WORLD);
    check_product(&product[1], rank);
    MPI_Exscan(own, product, 1, type, op, MPI_COMM_WORLD);
    if (rank)
        check_product(product, rank - 1);
    MPI_Reduce(own, product, 1, type, op, 0, MPI_COMM_WORLD);
    if (rank == 0)
        check_product(product, ranks - 1);
    /* The operation and the datatype are freed while a reduction uses them. */
    MPI_Request request;
    MPI_Iallreduce(own, product, 2, type, op, MPI_COMM_WORLD, &request);
    MPI_Op_free(&op);
    CHECK(op == MPI_OP_NULL);
    MPI_Type_free(&type);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check_product(&product[1], ranks - 1);
    MPI_Op_free(&many);
}

/* Data with gaps: a function finds them as they lie in memory. */
static void add_columns(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int (*left)[3] = in, (*right)[3] = inout, size;
    MPI_Type_size(*type, &size);
    CHECK(size == 8);
    for (int i = 0; i < *count; i++) {
        right[i][0] += left[i][0];
        right[i][2] += left[i][2];
    }
}

static void gaps(void)
{
    int own[4][3], sum[4][3], pair[2][3] = {{1, 2, 3}, {4, 5, 6}};
    MPI_Datatype type;
    MPI_Op op;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_columns, 1, &op);
    for (int i = 0; i < 12; i++) {
        own[i / 3][i % 3] = i + rank;
        sum[i / 3][i % 3] = -1;
    }
    MPI_Allreduce(own, sum, 4, type, op, MPI_COMM_WORLD);
    for (int i = 0; i < 12; i++)
        CHECK(sum[i / 3][i % 3] == (i % 3 == 1 ? -1 : i * ranks + ranks * (ranks - 1) / 2));
    MPI_Reduce_local(own, pair, 2, type, op);
    CHECK(pair[0][0] == 1 + rank && pair[0][1] == 2 && pair[1][2] == 6 + 5 + rank);
    MPI_Type_free(&type);
    MPI_Op_free(&op);
}

static void local(void)
{
    double left[3] = {1, 2, 3}, right[3] = {10, 1, 5};
    struct {
        short value;
        int place;
    } a[2] = {{3, 1}, {4, 9}}, b[2] = {{3, 0}, {5, 2}};
    MPI_Reduce_local(left, right, 3, MPI_DOUBLE, MPI_PROD);
    CHECK(right[0] == 10 && right[1] == 2 && right[2] == 15);
    MPI_Reduce_local(left, right, 2, MPI_DOUBLE, MPI_MAX);
    CHECK(right[0] == 10 && right[1] == 2 && right[2] == 15);
    MPI_Reduce_local(a, b, 2, MPI_SHORT_INT, MPI_MINLOC);
    CHECK(b[0].place == 0 && b[1].value == 4 && b[1].place == 9);
}

/* Each rank gets a part of the sums. */
static void parts(void)
{
    int *own = malloc(3 * ranks * sizeof *own), *counts = malloc(ranks * sizeof *counts), sums[3] = {0}, total = 0;
    for (int i = 0; i < ranks; i++)
        counts[i] = i % 3 + 1;
    int before = 0;
    for (int i = 0; i < rank; i++)
        before += counts[i];
    for (int i = 0; i < ranks; i++)
        total += counts[i];
    for (int i = 0; i < total; i++)
        own[i] = i + rank;
    MPI_Reduce_scatter(own, sums, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < counts[rank]; i++)
        CHECK(sums[i] == (before + i) * ranks + ranks * (ranks - 1) / 2);
    free(own);
    free(counts);
}

/* Operations that are not defined for a datatype are errors. */
static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void refused(void)
{
    int own[2] = {0}, sum[2];
    MPI_Op op = MPI_SUM;
    MPI_Datatype type;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Allreduce(own, sum, 1, MPI_FLOAT, MPI_BAND, MPI_COMM_WORLD)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Allreduce(own, sum, 1, MPI_C_FLOAT_COMPLEX, MPI_MAX, MPI_COMM_WORLD)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Allreduce(own, sum, 1, MPI_INT, MPI_MAXLOC, MPI_COMM_WORLD)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Allreduce(own, sum, 1, MPI_2INT, MPI_SUM, MPI_COMM_WORLD)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Allreduce(own, sum, 1, MPI_BYTE, MPI_SUM, MPI_COMM_WORLD)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Reduce_local(own, sum, 1, MPI_INT, MPI_OP_NULL)) == MPI_ERR_OP);
    CHECK(class_of(MPI_Op_free(&op)) == MPI_ERR_OP);
    CHECK(op == MPI_SUM);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    CHECK(class_of(MPI_Reduce_local(own, sum, 1, type, MPI_SUM)) == MPI_ERR_OP);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    numbers();
    places();
    matrices();
    gaps();
    local();
    parts();
    refused();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

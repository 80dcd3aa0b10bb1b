/* Datatypes: their sizes, the data that messages with them have, and what they are made of. */
#include "check.h"
#include <stddef.h>

static int rank, ranks;

static void check_bounds(MPI_Datatype type, long size, long lb, long extent, long true_lb, long true_extent)
{
    int bytes;
    MPI_Aint first, length;
    MPI_Count count, large_first, large_length;
    MPI_Type_size(type, &bytes);
    MPI_Type_size_x(type, &count);
    CHECK(bytes == size && count == size);
    MPI_Type_get_extent(type, &first, &length);
    MPI_Type_get_extent_x(type, &large_first, &large_length);
    CHECK(first == lb && length == extent && large_first == lb && large_length == extent);
    MPI_Type_get_true_extent(type, &first, &length);
    CHECK(first == true_lb && length == true_extent);
}

/* Structures of C, and their predefined pairs. */
static void structures(void)
{
    struct particle {
        char kind;
        double place[3];
        int number;
    } sent[3], received[3];
    struct {
        short value;
        int index;
    } pair;
    int lengths[] = {1, 3, 1};
    MPI_Aint places[] = {offsetof(struct particle, kind), offsetof(struct particle, place),
                         offsetof(struct particle, number)};
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT}, type;
    MPI_Type_create_struct(3, lengths, places, types, &type);
    MPI_Type_commit(&type);
    check_bounds(type, 29, 0, sizeof(struct particle), 0, 36);
    check_bounds(MPI_SHORT_INT, 6, 0, sizeof pair, 0, 8);
    check_bounds(MPI_DOUBLE_INT, 12, 0, 16, 0, 12);
    check_bounds(MPI_LONG_DOUBLE, sizeof(long double), 0, sizeof(long double), 0, sizeof(long double));
    memset(received, 0xff, sizeof received);
    for (int i = 0; i < 3; i++)
        sent[i] = (struct particle){'a' + i, {rank, i, 0.5}, 10 * rank + i};
    MPI_Status status;
    int count, from = (rank + ranks - 1) % ranks;
    MPI_Sendrecv(sent, 2, type, (rank + 1) % ranks, 5, received, 3, type, from, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, type, &count);
    CHECK(count == 2);
    MPI_Get_elements(&status, type, &count);
    CHECK(count == 10);
    for (int i = 0; i < 2; i++)
        CHECK(received[i].kind == 'a' + i && received[i].place[0] == from && received[i].place[2] == 0.5 &&
              received[i].number == 10 * from + i);
    CHECK(received[2].number == -1);
    MPI_Type_free(&type);
    CHECK(type == MPI_DATATYPE_NULL);
}

/* The columns of a matrix arrive as rows. A datatype is freed while calls use it. */
static void columns(void)
{
    int matrix[4][6], rows[6][4], to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Datatype column, next_to_each_other;
    for (int i = 0; i < 24; i++)
        matrix[i / 6][i % 6] = 100 * rank + i;
    MPI_Type_vector(4, 1, 6, MPI_INT, &column);
    check_bounds(column, 16, 0, 76, 0, 76);
    MPI_Type_create_resized(column, 0, sizeof(int), &next_to_each_other);
    MPI_Type_free(&column);
    MPI_Type_commit(&next_to_each_other);
    check_bounds(next_to_each_other, 16, 0, 4, 0, 76);
    MPI_Request requests[2];
    MPI_Irecv(rows, 24, MPI_INT, from, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(matrix, 6, next_to_each_other, to, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Type_free(&next_to_each_other);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 24; i++)
        CHECK(rows[i % 6][i / 6] == 100 * from + i);
}

/* The lower triangle of a matrix, and every second element, by indexed blocks; less arrives than there is room for. */
static void indexed(void)
{
    double matrix[5][5], triangle[5][5] = {{0}};
    int lengths[5], places[5], to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks, count;
    MPI_Datatype type;
    MPI_Status status;
    for (int i = 0; i < 5; i++) {
        lengths[i] = i + 1;
        places[i] = 5 * i;
        for (int j = 0; j < 5; j++)
            matrix[i][j] = rank + i / 8. + j / 64.;
    }
    MPI_Type_indexed(5, lengths, places, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(matrix, 1, type, to, 2, triangle, 1, type, from, 2, MPI_COMM_WORLD, &status);
    for (int i = 0; i < 25; i++)
        CHECK(triangle[i / 5][i % 5] == (i % 5 <= i / 5 ? from + i / 5 / 8. + i % 5 / 64. : 0));
    MPI_Sendrecv(matrix, 4, MPI_DOUBLE, to, 3, triangle, 1, type, from, 3, MPI_COMM_WORLD, &status);
    CHECK(triangle[1][1] == matrix[0][2] - rank + from && triangle[2][0] == matrix[0][3] - rank + from);
    MPI_Get_count(&status, type, &count);
    CHECK(count == MPI_UNDEFINED);
    MPI_Get_elements(&status, type, &count);
    CHECK(count == 4);
    MPI_Status_set_elements(&status, MPI_BYTE, 9);
    MPI_Get_elements(&status, type, &count);
    CHECK(count == MPI_UNDEFINED);
    MPI_Type_free(&type);
    int evens[] = {4, 0, 2};
    int sent[] = {0, 1, 2, 3, 4, 5}, received[6] = {9, 9, 9, 9, 9, 9};
    MPI_Type_create_indexed_block(3, 2, evens, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(sent, 1, type, to, 5, received, 6, MPI_INT, from, 5, MPI_COMM_WORLD, &status);
    CHECK(received[0] == 4 && received[1] == 5 && received[2] == 0 && received[5] == 3);
    MPI_Type_free(&type);
}

/* Variables anywhere in memory, by their addresses. */
static void addresses(void)
{
    int *one = malloc(sizeof *one), three[3] = {rank, 2, 3}, lengths[] = {1, 3, 2};
    double two[2] = {rank + 0.5, 4};
    int to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks;
    MPI_Aint places[3];
    MPI_Datatype types[] = {MPI_INT, MPI_INT, MPI_DOUBLE}, type;
    *one = 7 * rank;
    MPI_Get_address(one, &places[0]);
    MPI_Get_address(three, &places[1]);
    MPI_Get_address(two, &places[2]);
    CHECK(MPI_Aint_diff(MPI_Aint_add(places[1], 8), places[1]) == 8 && places[1] == (MPI_Aint)three);
    MPI_Type_create_struct(3, lengths, places, types, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv_replace(MPI_BOTTOM, 1, type, to, 6, from, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(*one == 7 * from && three[0] == from && three[2] == 3 && two[0] == from + 0.5);
    MPI_Type_free(&type);
    free(one);
}

/* A block of an array at each rank, gathered into the whole array. */
static void arrays(void)
{
    int sizes[] = {2 * ranks, 3}, subsizes[] = {2, 3}, starts[] = {2 * rank, 0}, here = 0, *whole;
    MPI_Datatype type, dealt;
    whole = calloc(6 * ranks, sizeof *whole);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_commit(&type);
    check_bounds(type, 24, 0, 24 * ranks, 24 * rank, 24);
    MPI_Sendrecv((int[]){1, 2, 3, 4, 5, 6}, 6, MPI_INT, rank, 7, whole, 1, type, rank, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int i = 0; i < 6 * ranks; i++)
        CHECK(whole[i] == (i / 6 == rank ? i % 6 + 1 : 0));
    MPI_Type_free(&type);
    /* Rows go to one rank after the other, two at a time; the whole array is that of rank 0. */
    int rows = 5 * ranks, gsizes[] = {rows, 3}, kinds[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    int arguments[] = {2, MPI_DISTRIBUTE_DFLT_DARG}, grid[] = {ranks, 1};
    int *all = calloc(3 * rows, sizeof *all), *own = calloc(3 * rows, sizeof *own);
    for (int i = 0; i < rows; i++)
        if (i / 2 % ranks == rank)
            for (int j = 0; j < 3; j++)
                own[here++] = 3 * i + j;
    MPI_Request request;
    MPI_Isend(own, here, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
    for (int from = 0; rank == 0 && from < ranks; from++) {
        MPI_Type_create_darray(ranks, from, 2, gsizes, kinds, arguments, grid, MPI_ORDER_C, MPI_INT, &dealt);
        MPI_Type_commit(&dealt);
        MPI_Recv(all, 1, dealt, from, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&dealt);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; rank == 0 && i < 3 * rows; i++)
        CHECK(all[i] == i);
    free(whole);
    free(all);
    free(own);
}

/* What datatypes are made of. */
static void contents(void)
{
    int integers, addresses, types, combiner, numbers[3];
    MPI_Aint places[4];
    MPI_Datatype vector, made[2], again;
    MPI_Type_create_hvector(3, 2, 40, MPI_INT, &vector);
    MPI_Type_create_struct(2, (int[]){1, 4}, (MPI_Aint[]){8, 200}, (MPI_Datatype[]){vector, MPI_DOUBLE}, &again);
    MPI_Type_free(&vector);
    MPI_Type_get_envelope(again, &integers, &addresses, &types, &combiner);
    CHECK(integers == 3 && addresses == 2 && types == 2 && combiner == MPI_COMBINER_STRUCT);
    MPI_Type_get_contents(again, 3, 2, 2, numbers, places, made);
    CHECK(numbers[0] == 2 && numbers[1] == 1 && numbers[2] == 4 && places[0] == 8 && places[1] == 200);
    CHECK(made[1] == MPI_DOUBLE);
    MPI_Type_get_envelope(made[0], &integers, &addresses, &types, &combiner);
    CHECK(integers == 2 && addresses == 1 && types == 1 && combiner == MPI_COMBINER_HVECTOR);
    MPI_Type_free(&again);
    MPI_Type_get_contents(made[0], 2, 1, 1, numbers, places, made + 1);
    CHECK(numbers[0] == 3 && numbers[1] == 2 && places[0] == 40 && made[1] == MPI_INT);
    MPI_Type_dup(made[0], &again);
    check_bounds(again, 24, 0, 88, 0, 88);
    MPI_Type_get_envelope(again, &integers, &addresses, &types, &combiner);
    CHECK(integers == 0 && types == 1 && combiner == MPI_COMBINER_DUP);
    MPI_Type_free(&made[0]);
    MPI_Type_free(&again);
    MPI_Type_create_darray(4, 3, 2, (int[]){7, 5}, (int[]){MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK},
                           (int[]){2, MPI_DISTRIBUTE_DFLT_DARG}, (int[]){2, 2}, MPI_ORDER_FORTRAN, MPI_INT, &again);
    MPI_Type_get_envelope(again, &integers, &addresses, &types, &combiner);
    CHECK(integers == 12 && combiner == MPI_COMBINER_DARRAY);
    int darray[12];
    MPI_Type_get_contents(again, 12, 0, 1, darray, places, made);
    CHECK(darray[5] == MPI_DISTRIBUTE_CYCLIC && darray[8] == MPI_DISTRIBUTE_DFLT_DARG && darray[11] == MPI_ORDER_FORTRAN);
    MPI_Type_free(&again);
    MPI_Type_get_envelope(MPI_INT, &integers, &addresses, &types, &combiner);
    CHECK(integers == 0 && combiner == MPI_COMBINER_NAMED);
}

/* Datatypes by their precision or size, and pairs. */
static void by_precision(void)
{
    int integers, addresses, types, combiner, numbers[2], size;
    MPI_Datatype real, same, matched;
    MPI_Type_create_f90_real(12, MPI_UNDEFINED, &real);
    MPI_Type_create_f90_real(12, MPI_UNDEFINED, &same);
    CHECK(real == same);
    MPI_Type_get_envelope(real, &integers, &addresses, &types, &combiner);
    CHECK(integers == 2 && types == 0 && combiner == MPI_COMBINER_F90_REAL);
    MPI_Type_get_contents(real, 2, 0, 0, numbers, NULL, NULL);
    CHECK(numbers[0] == 12 && numbers[1] == MPI_UNDEFINED);
    double value = rank + 1, sum;
    MPI_Allreduce(&value, &sum, 1, real, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == ranks * (ranks + 1) / 2);
    MPI_Type_create_f90_integer(9, &matched);
    MPI_Type_size(matched, &size);
    CHECK(size == 4);
    MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &matched);
    CHECK(matched == MPI_COMPLEX16);
#if 10 * MPI_VERSION + MPI_SUBVERSION >= 41
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &matched);
    CHECK(matched == MPI_DOUBLE_INT);
    MPI_Type_get_value_index(MPI_C_BOOL, MPI_INT, &matched);
    CHECK(matched == MPI_DATATYPE_NULL);
#endif
}

/* Counts that are no integers of C, in descriptions that take no memory. */
static void large(void)
{
#if MPI_VERSION >= 4
    MPI_Datatype type;
    MPI_Count integers, addresses, counts, types, number, numbers[3];
    int combiner, size, to = (rank + 1) % ranks, from = (rank + ranks - 1) % ranks, small[8] = {0};
    MPI_Status status;
    MPI_Type_vector_c((MPI_Count)1 << 40, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &size);
    MPI_Type_size_c(type, &number);
    CHECK(size == MPI_UNDEFINED && number == (MPI_Count)4 << 40);
    MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
    CHECK(integers == 0 && addresses == 0 && counts == 3 && types == 1 && combiner == MPI_COMBINER_VECTOR);
    MPI_Datatype child;
    MPI_Type_get_contents_c(type, 0, 0, 3, 1, NULL, NULL, numbers, &child);
    CHECK(numbers[0] == (MPI_Count)1 << 40 && numbers[1] == 1 && numbers[2] == 2 && child == MPI_INT);
    MPI_Type_free(&type);
    MPI_Type_vector(1 << 26, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv((int[]){1, 2, rank}, 3, MPI_INT, to, 9, small, 1, type, from, 9, MPI_COMM_WORLD, &status);
    CHECK(small[0] == 1 && small[1] == 0 && small[2] == 2 && small[4] == from && small[6] == 0);
    MPI_Get_elements_x(&status, type, &number);
    CHECK(number == 3);
    MPI_Type_free(&type);
    MPI_Status_set_elements(&status, MPI_DOUBLE_INT, 4);
    MPI_Get_count(&status, MPI_DOUBLE_INT, &size);
    CHECK(size == 2);
    MPI_Status_set_elements_x(&status, MPI_BYTE, (MPI_Count)3 << 32);
    MPI_Get_count(&status, MPI_BYTE, &size);
    MPI_Get_count_c(&status, MPI_BYTE, &number);
    CHECK(size == MPI_UNDEFINED && number == (MPI_Count)3 << 32);
#endif
}

/* Datatypes in collectives: a gather of columns, and one of blocks with gaps. */
static void in_collectives(void)
{
    int own[3] = {rank, rank + 100, rank + 200}, *table = calloc(3 * ranks, sizeof *table), root = ranks - 1;
    MPI_Datatype column, resized;
    MPI_Type_vector(3, 1, ranks, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &resized);
    MPI_Type_commit(&resized);
    MPI_Gather(own, 3, MPI_INT, table, 1, resized, root, MPI_COMM_WORLD);
    for (int i = 0; rank == root && i < 3 * ranks; i++)
        CHECK(table[i] == i % ranks + 100 * (i / ranks));
    MPI_Bcast(table, ranks, resized, root, MPI_COMM_WORLD);
    for (int i = 0; i < 3 * ranks; i++)
        CHECK(table[i] == i % ranks + 100 * (i / ranks));
    int *back = calloc(3 * ranks, sizeof *back);
    MPI_Alltoall(table, 1, resized, back, 3, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < 3 * ranks; i++)
        CHECK(back[i] == rank + 100 * (i % 3));
    MPI_Type_free(&column);
    MPI_Type_free(&resized);
    free(table);
    free(back);
}

/* Copies of datatypes have copies of their attributes, and freed ones delete them. */
static int copied, deleted;

static int copy(MPI_Datatype type, int key, void *extra, void *from, void *to, int *flag)
{
    copied += from == extra;
    *(void **)to = (char *)from + 1;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete(MPI_Datatype type, int key, void *value, void *extra)
{
    deleted += value == extra || value == (char *)extra + 1;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    static char value[2];
    char *found;
    int key, flag;
    MPI_Datatype type, again;
    MPI_Type_create_keyval(copy, delete, &key, value);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_set_attr(type, key, value);
    MPI_Type_dup(type, &again);
    MPI_Type_get_attr(again, key, &found, &flag);
    CHECK(flag && found == value + 1 && copied == 1);
    MPI_Type_free(&type);
    MPI_Type_free(&again);
    CHECK(deleted == 2);
    MPI_Type_free_keyval(&key);
}

/* Wrong arguments are errors of their classes. */
static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void errors(void)
{
    int data[8] = {0};
    MPI_Datatype type = MPI_INT, made = MPI_CHAR;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(class_of(MPI_Type_contiguous(-1, MPI_INT, &made)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Type_vector(-2, 1, 1, MPI_INT, &made)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &made)) == MPI_ERR_TYPE);
    CHECK(class_of(MPI_Type_create_subarray(1, data, data, data, 1234, MPI_INT, &made)) == MPI_ERR_ARG);
    CHECK(made == MPI_CHAR);
    CHECK(class_of(MPI_Type_free(&type)) == MPI_ERR_TYPE);
    CHECK(type == MPI_INT);
    MPI_Type_contiguous(2, MPI_INT, &type);
    CHECK(class_of(MPI_Send(data, 1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD)) == MPI_ERR_TYPE);
    MPI_Type_commit(&type);
    CHECK(MPI_Send(data, 1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
    CHECK(class_of(MPI_Send(data, -1, type, MPI_PROC_NULL, 0, MPI_COMM_WORLD)) == MPI_ERR_COUNT);
    MPI_Type_free(&type);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    structures();
    columns();
    indexed();
    addresses();
    arrays();
    contents();
    by_precision();
    large();
    in_collectives();
    attributes();
    errors();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

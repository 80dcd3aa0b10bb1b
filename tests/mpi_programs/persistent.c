/* Collectives that begin again and again. Their lists of counts are gone when they begin, as some programs have it. */
#include "check.h"

static int rank, size;

static void twice(MPI_Request *request, int *sent, int count, void (*check)(const int *, int), const int *got)
{
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < count; i++)
            sent[i] = 1000 * round + 100 * rank + i;
        MPI_Start(request);
        MPI_Wait(request, MPI_STATUS_IGNORE);
        check(got, 1000 * round);
    }
    MPI_Request_free(request);
    CHECK(*request == MPI_REQUEST_NULL);
}

static void check_gathered(const int *got, int first)
{
    for (int i = 0, at = 0; i < size; i++)
        for (int j = 0; j < 1 + i % 2; j++, at++)
            CHECK(got[at] == first + 100 * i + j);
}

static void check_exchanged(const int *got, int first)
{
    for (int i = 0; i < size; i++)
        CHECK(got[i] == first + 100 * i + rank);
}

static void check_scattered(const int *got, int first)
{
    CHECK(got[0] == first + 100 * (size - 1) + rank);
}

static void check_reduced(const int *got, int first)
{
    for (int j = 0; j < 1 + rank % 2; j++)
        CHECK(got[j] == size * (first + rank + rank / 2 + j) + 100 * size * (size - 1) / 2);
}

static void check_summed(const int *got, int first)
{
    CHECK(got[1] == size * (first + 1) + 100 * size * (size - 1) / 2);
}

int main(int argc, char **argv)
{
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t bytes = 2 * size * sizeof(int);
    int *sent = calloc(1, bytes), *got = calloc(1, bytes), *counts = malloc(bytes), *places = malloc(bytes);
    for (int form = 0; form < 5; form++) {
        for (int i = 0; i < size; i++) {
            counts[i] = form == 1 ? 1 : 1 + i % 2;
            places[i] = form == 1 ? i : i + i / 2;
        }
        if (form == 0)
            MPI_Allgatherv_init(sent, 1 + rank % 2, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                                &request);
        if (form == 1)
            MPI_Alltoallv_init(sent, counts, places, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                               &request);
        if (form == 2)
            MPI_Scatter_init(sent, 1, MPI_INT, got, 1, MPI_INT, size - 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        if (form == 3)
            MPI_Reduce_scatter_init(sent, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        if (form == 4)
            MPI_Allreduce_init(sent, got, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        memset(counts, 0xff, bytes);
        memset(places, 0xff, bytes);
        void (*check[5])(const int *, int) = {check_gathered, check_exchanged, check_scattered, check_reduced, check_summed};
        twice(&request, sent, 2 * size, check[form], got);
    }
    free(sent), free(got), free(counts), free(places);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

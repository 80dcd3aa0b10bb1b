/* Messages in partitions, and messages of attached buffers. */
#include "check.h"

#define PARTITIONS 6
#define COUNT 5

static void partitions(int rank, int size)
{
    double sent[PARTITIONS * COUNT] = {0}, got[PARTITIONS * COUNT];
    int next = (rank + 1) % size, before = (rank + size - 1) % size, flag, list[2] = {1, 5};
    MPI_Request requests[2];
    MPI_Status status;
    /* The receiver has fewer partitions, of as many elements in all. */
    MPI_Psend_init(sent, PARTITIONS, COUNT, MPI_DOUBLE, next, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Precv_init(got, PARTITIONS / 2, 2 * COUNT, MPI_DOUBLE, before, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < PARTITIONS * COUNT; i++)
            got[i] = -1;
        MPI_Startall(2, requests);
        for (int i = 0; i < PARTITIONS * COUNT; i++)
            sent[i] = 1000 * round + 100 * rank + i;
        MPI_Pready(0, requests[0]);
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
        MPI_Pready_range(2, 4, requests[0]);
        MPI_Pready_list(2, list, requests[0]);
        do
            MPI_Parrived(requests[1], PARTITIONS / 2 - 1, &flag);
        while (!flag);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], &status);
        CHECK(status.MPI_SOURCE == before && status.MPI_TAG == 3);
        for (int i = 0; i < PARTITIONS * COUNT; i++)
            CHECK(got[i] == 1000 * round + 100 * before + i);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void buffers(int rank, int size)
{
    int value = rank, got, length, class, next = (rank + 1) % size, before = (rank + size - 1) % size;
    char *buffer = malloc(1000 + MPI_BSEND_OVERHEAD);
    void *back;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Bsend(&value, 1, MPI_INT, next, 0, comm), &class);
    CHECK(class == MPI_ERR_BUFFER);
    MPI_Buffer_attach(buffer, 1000 + MPI_BSEND_OVERHEAD);
    MPI_Bsend(&value, 1, MPI_INT, next, 0, comm);
    value = -1;
    MPI_Recv(&got, 1, MPI_INT, before, 0, comm, MPI_STATUS_IGNORE);
    CHECK(got == before);
    MPI_Buffer_detach(&back, &length);
    CHECK(back == buffer && length == 1000 + MPI_BSEND_OVERHEAD);
    MPI_Comm_free(&comm);
    free(buffer);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    partitions(rank, size);
    buffers(rank, size);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

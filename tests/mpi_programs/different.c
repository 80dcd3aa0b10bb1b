/* Ranks that do not call alike: different CASE. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
#define CASE(name) else if (strcmp(argv[1], name) == 0)

int main(int argc, char **argv)
{
    int rank, size, value[64] = {0}, other[64] = {0}, ones[16], places[16] = {0};
    MPI_Request requests[2];
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    for (int i = 0; i < 16; i++)
        ones[i] = 1;
    if (argc < 2)
        return 80;
    CASE("collectives")
    {
        if (rank == 1)
            MPI_Bcast(value, 1, MPI_INT, 0, WORLD);
        else
            MPI_Barrier(WORLD);
    }
    CASE("roots") MPI_Bcast(value, 1, MPI_INT, rank, WORLD);
    CASE("lengths") MPI_Allreduce(value, other, rank + 1, MPI_INT, MPI_SUM, WORLD);
    CASE("lengths of a broadcast") MPI_Bcast(value, rank + 1, MPI_INT, 0, WORLD);
    CASE("operations") MPI_Allreduce(value, other, 1, MPI_INT, rank == 1 ? MPI_MAX : MPI_SUM, WORLD);
    CASE("lengths of an exchange")
    {
        ones[0] = rank == 1 ? 3 : 1;
        MPI_Alltoallv(value, ones, places, MPI_INT, other, ones, places, MPI_INT, WORLD);
    }
    CASE("lengths of a gather")
    MPI_Gatherv(value, rank == 1 ? 2 : 1, MPI_INT, other, ones, places, MPI_INT, 0, WORLD);
    CASE("collectives that do not block")
    {
        MPI_Request request;
        if (rank == 1)
            MPI_Ibarrier(WORLD, &request);
        else
            MPI_Iallreduce(value, other, 1, MPI_INT, MPI_SUM, WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    CASE("a communicator and a barrier")
    {
        if (rank == 1)
            MPI_Barrier(WORLD);
        else
            MPI_Comm_dup(WORLD, &comm);
    }
    CASE("order")
    {
        for (int i = 0; i < 2; i++)
            if ((rank + i) % 2)
                MPI_Barrier(WORLD);
            else
                MPI_Bcast(value, 1, MPI_INT, 0, WORLD);
    }
    CASE("missing rank")
    {
        if (rank != 1)
            MPI_Barrier(WORLD);
    }
    CASE("truncated")
    {
        if (rank == 1)
            MPI_Send(value, 20, MPI_INT, 0, 7, WORLD);
        else if (rank == 0)
            MPI_Recv(value, 10, MPI_INT, 1, 7, WORLD, MPI_STATUS_IGNORE);
    }
    CASE("truncated later")
    {
        if (rank == 1) {
            MPI_Send(value, 20, MPI_INT, 0, 7, WORLD);
            MPI_Send(value, 10, MPI_INT, 0, 8, WORLD);
        } else if (rank == 0) {
            MPI_Irecv(value, 10, MPI_INT, 1, 7, WORLD, &requests[0]);
            MPI_Irecv(other, 10, MPI_INT, 1, 8, WORLD, &requests[1]);
            MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        }
    }
    CASE("truncated and returned")
    {
        MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
        if (rank == 1)
            MPI_Send(value, 20, MPI_INT, 0, 7, WORLD);
        else if (rank == 0) {
            int class, length, code = MPI_Recv(value, 10, MPI_INT, 1, 7, WORLD, MPI_STATUS_IGNORE);
            char text[MPI_MAX_ERROR_STRING];
            MPI_Error_class(code, &class);
            MPI_Error_string(code, text, &length);
            printf("%s %s\n", class == MPI_ERR_TRUNCATE ? "truncated:" : "another error:", text);
        }
    }
    CASE("truncated broadcast") MPI_Bcast(value, rank == 1 ? 5 : 10, MPI_INT, 0, WORLD);
    CASE("unmatched")
    {
        if (rank == 1)
            MPI_Recv(value, 1, MPI_INT, 0, 7, WORLD, MPI_STATUS_IGNORE);
        else if (rank == 0)
            MPI_Send(value, 1, MPI_INT, 1, 8, WORLD);
    }
    CASE("head to head")
    {
        int *large = calloc(1 << 20, sizeof *large);
        MPI_Ssend(large, 1 << 20, MPI_INT, rank ^ 1, 7, WORLD);
    }
    else
    {
        printf("no case %s\n", argv[1]);
        return 81;
    }
    MPI_Finalize();
    return 0;
}

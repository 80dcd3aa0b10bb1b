/* Collectives on all ranks, and on the halves of a split, and checks of their data. */
#include <mpi.h>
#include <stdlib.h>

#include "check.h"

static void all_collectives(MPI_Comm comm)
{
    int rank, size, value, sum, *all, *back;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    all = malloc(2 * size * sizeof *all);
    back = malloc(2 * size * sizeof *back);

    int root = size - 1;
    double sent[5] = {rank, 1, 2, 3, 4};
    MPI_Bcast(sent, 5, MPI_DOUBLE, root, comm);
    CHECK(sent[0] == root && sent[4] == 4);
    value = 7 * rank + 1;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == 7 * size * (size - 1) / 2 + size);
    MPI_Reduce(&value, &sum, 1, MPI_INT, MPI_MAX, 0, comm);
    CHECK(rank || sum == 7 * (size - 1) + 1);
    MPI_Gather(&value, 1, MPI_INT, all, 1, MPI_INT, root, comm);
    for (int i = 0; rank == root && i < size; i++)
        CHECK(all[i] == 7 * i + 1);
    MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == 7 * i + 1);
    for (int i = 0; i < size; i++)
        all[i] = 100 * rank + i;
    MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, 0, comm);
    CHECK(value == rank);
    MPI_Alltoall(all, 1, MPI_INT, back, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        CHECK(back[i] == 100 * i + rank);
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == rank * (rank + 1) / 2);
    MPI_Exscan(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(rank == 0 || sum == rank * (rank - 1) / 2);
    MPI_Reduce_scatter_block(all, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == 100 * size * (size - 1) / 2 + size * rank);

    int *counts = malloc(size * sizeof *counts), *places = malloc(size * sizeof *places), total = 0;
    for (int i = 0; i < size; i++) {
        counts[i] = i % 3;
        places[i] = total;
        total += counts[i];
    }
    int mine[2] = {10 * rank, 10 * rank + 1};
    MPI_Allgatherv(mine, rank % 3, MPI_INT, all, counts, places, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < i % 3; j++)
            CHECK(all[places[i] + j] == 10 * i + j);
    MPI_Gatherv(mine, rank % 3, MPI_INT, back, counts, places, MPI_INT, root, comm);
    for (int i = 0; rank == root && i < total; i++)
        CHECK(back[i] == all[i]);
    MPI_Scatterv(all, counts, places, MPI_INT, back, rank % 3, MPI_INT, root, comm);
    for (int j = 0; j < rank % 3; j++)
        CHECK(back[j] == 10 * rank + j);

    MPI_Request requests[2];
    MPI_Ibarrier(comm, &requests[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_MIN, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(sum == 0);
    MPI_Barrier(comm);
    free(all), free(back), free(counts), free(places);
}

int main(int argc, char **argv)
{
    int rank, size, part_rank;
    MPI_Comm part, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    all_collectives(MPI_COMM_WORLD);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    MPI_Comm_rank(part, &part_rank);
    CHECK(part_rank == (size - 1 - rank) / 2 || size % 2);
    all_collectives(part);
    MPI_Comm_dup(part, &copy);
    all_collectives(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&part);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

/* Exchanges with the neighbors on a grid that is a ring in one dimension, in its rows, and in a graph. */
#include "check.h"

#define COUNT 40

int main(int argc, char **argv)
{
    int rank, size, dims[2] = {0, 0}, periods[2] = {1, 0}, kept[2] = {0, 1}, peers[4], sum;
    MPI_Comm grid, row, graph;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Comm_rank(grid, &rank);
    for (int direction = 0; direction < 2; direction++)
        MPI_Cart_shift(grid, direction, 1, &peers[2 * direction], &peers[2 * direction + 1]);

    double sent[4][COUNT], got[4][COUNT];
    for (int side = 0; side < 4; side++)
        for (int i = 0; i < COUNT; i++)
            sent[side][i] = 1000 * rank + 100 * side + i, got[side][i] = -1;
    MPI_Neighbor_alltoall(sent, COUNT, MPI_DOUBLE, got, COUNT, MPI_DOUBLE, grid);
    for (int side = 0; side < 4; side++)
        for (int i = 0; i < COUNT; i++)
            CHECK(got[side][i] == (peers[side] == MPI_PROC_NULL ? -1 : 1000 * peers[side] + 100 * (side ^ 1) + i));
    MPI_Ineighbor_allgather(sent, COUNT, MPI_DOUBLE, got, COUNT, MPI_DOUBLE, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int side = 0; side < 4; side++)
        CHECK(peers[side] == MPI_PROC_NULL || got[side][1] == 1000 * peers[side] + 1);

    MPI_Cart_sub(grid, kept, &row);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, row);
    CHECK(sum == dims[1] * (rank - rank % dims[1]) + dims[1] * (dims[1] - 1) / 2);

    /* Two edges to the next rank, and one to that after it. */
    int from[3] = {(rank + size - 1) % size, (rank + size - 1) % size, (rank + size - 2) % size};
    int to[3] = {(rank + 1) % size, (rank + 1) % size, (rank + 2) % size};
    MPI_Dist_graph_create_adjacent(grid, 3, from, MPI_UNWEIGHTED, 3, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoall(sent, COUNT, MPI_DOUBLE, got, COUNT, MPI_DOUBLE, graph);
    for (int edge = 0; edge < 3; edge++)
        CHECK(got[edge][1] == 1000 * from[edge] + 100 * edge + 1);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

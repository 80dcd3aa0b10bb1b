/* Topologies: grids, their lines, and graphs; and collectives of neighbors. */
#include "check.h"

static int rank, size;

static void exchange_on_a_grid(void)
{
    int lengths[2] = {0, 0}, periods[2] = {1, 0}, coordinates[2], back[2], from, to, own, count, dimensions, kind;
    MPI_Comm grid, line;
    MPI_Dims_create(size, 2, lengths);
    CHECK(lengths[0] * lengths[1] == size && lengths[0] >= lengths[1]);
    MPI_Cart_create(MPI_COMM_WORLD, 2, lengths, periods, 0, &grid);
    MPI_Topo_test(grid, &kind);
    MPI_Cartdim_get(grid, &dimensions);
    CHECK(kind == MPI_CART && dimensions == 2);
    MPI_Comm_rank(grid, &own);
    MPI_Cart_coords(grid, own, 2, coordinates);
    CHECK(own == coordinates[0] * lengths[1] + coordinates[1]);
    MPI_Cart_rank(grid, coordinates, &from);
    CHECK(from == own);
    MPI_Cart_get(grid, 2, back, periods, coordinates);
    CHECK(back[0] == lengths[0] && back[1] == lengths[1] && periods[0] == 1 && periods[1] == 0);

    for (int dimension = 0; dimension < 2; dimension++) {
        int sent = own, received = -1;
        MPI_Cart_shift(grid, dimension, 1, &from, &to);
        MPI_Sendrecv(&sent, 1, MPI_INT, to, 0, &received, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE);
        CHECK(received == (from == MPI_PROC_NULL ? -1 : from));
        CHECK((from == MPI_PROC_NULL) == (dimension == 1 && coordinates[1] == 0));
    }

    int sent[4] = {10 * own, 10 * own + 1, 10 * own + 2, 10 * own + 3}, received[4] = {-1, -1, -1, -1}, around[4];
    MPI_Cart_shift(grid, 0, 1, &around[0], &around[1]);
    MPI_Cart_shift(grid, 1, 1, &around[2], &around[3]);
    MPI_Neighbor_allgather(sent, 1, MPI_INT, received, 1, MPI_INT, grid);
    for (int i = 0; i < 4; i++)
        CHECK(received[i] == (around[i] == MPI_PROC_NULL ? -1 : 10 * around[i]));
    MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, grid);
    for (int i = 0; i < 4 && lengths[0] > 2; i++)
        CHECK(received[i] == (around[i] == MPI_PROC_NULL ? -1 : 10 * around[i] + (i ^ 1)));
    MPI_Request request;
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, grid, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    int keeps[2] = {0, 1};
    MPI_Cart_sub(grid, keeps, &line);
    MPI_Comm_size(line, &count);
    MPI_Comm_rank(line, &from);
    CHECK(count == lengths[1] && from == coordinates[1]);
    int sum;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, line);
    CHECK(sum == lengths[1] * (own - coordinates[1]) + lengths[1] * (lengths[1] - 1) / 2);
    MPI_Comm_free(&line);
    MPI_Comm_free(&grid);
}

/* Each rank sends to the next, and to the one behind it. */
static void exchange_on_a_graph(void)
{
    int to[2] = {(rank + 1) % size, (rank + 2) % size};
    int from[2] = {(rank + size - 1) % size, (rank + size - 2) % size};
    int incoming, outgoing, weighted, a[2], b[2], sent[3] = {rank, rank + 100, rank + 200}, received[3];
    int counts[2] = {1, 2}, places[2] = {0, 1};
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, from, MPI_UNWEIGHTED, 2, to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                   &graph);
    MPI_Dist_graph_neighbors_count(graph, &incoming, &outgoing, &weighted);
    CHECK(incoming == 2 && outgoing == 2 && !weighted);
    MPI_Dist_graph_neighbors(graph, 2, a, MPI_UNWEIGHTED, 2, b, MPI_UNWEIGHTED);
    CHECK(a[0] == from[0] && a[1] == from[1] && b[0] == to[0] && b[1] == to[1]);
    MPI_Neighbor_allgather(sent, 1, MPI_INT, received, 1, MPI_INT, graph);
    CHECK(received[0] == from[0] && received[1] == from[1]);
    MPI_Neighbor_alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, graph);
    CHECK(received[0] == from[0] && received[1] == from[1] + 100 && received[2] == from[1] + 200);
    MPI_Comm_free(&graph);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange_on_a_grid();
    exchange_on_a_graph();
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

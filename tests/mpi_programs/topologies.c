/* Grids and graphs of ranks, and what ranks exchange with their neighbors. */
#include "check.h"

static int rank, size;

/* Sends 100 * sender + edge along each edge; the receiver knows the sender, and the edge at the sender's side. */
static void exchange(MPI_Comm comm, int sources, const int *from, const int *edge_there, int targets)
{
    int own, *sent = malloc((targets + 1) * sizeof(int)), *got = malloc((sources + 1) * sizeof(int));
    MPI_Comm_rank(comm, &own);
    for (int form = 0; form < 3; form++) {
        MPI_Request request;
        for (int i = 0; i < sources; i++)
            got[i] = -1;
        for (int i = 0; i < targets; i++)
            sent[i] = 100 * own + i;
        if (form == 0)
            MPI_Neighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm);
        if (form == 1) {
            MPI_Ineighbor_alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        if (form == 2) {
            MPI_Neighbor_alltoall_init(sent, 1, MPI_INT, got, 1, MPI_INT, comm, MPI_INFO_NULL, &request);
            for (int twice = 0; twice < 2; twice++) {
                MPI_Start(&request);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
            }
            MPI_Request_free(&request);
        }
        for (int i = 0; i < sources; i++)
            CHECK(got[i] == (from[i] == MPI_PROC_NULL ? -1 : 100 * from[i] + edge_there[i]));
        MPI_Neighbor_allgather(&own, 1, MPI_INT, got, 1, MPI_INT, comm);
        for (int i = 0; i < sources; i++)
            CHECK(from[i] == MPI_PROC_NULL || got[i] == from[i]);
    }
    /* Blocks of different lengths, turned around, by each of the forms with counts. */
    int *counts = malloc((sources + targets + 1) * sizeof(int)), *places = malloc((sources + targets + 1) * sizeof(int));
    int *blocks = malloc((2 * targets + 1) * sizeof(int)), *turned = malloc((2 * sources + 1) * sizeof(int));
    MPI_Aint *bytes = malloc((sources + targets + 1) * sizeof(MPI_Aint));
    MPI_Datatype *types = malloc((sources + targets + 1) * sizeof(MPI_Datatype));
    for (int i = 0; i < targets; i++)
        blocks[2 * i] = blocks[2 * i + 1] = 100 * own + i;
    for (int i = 0; i < targets + sources; i++) {
        int at = i < targets ? i : sources + targets - 1 - i;
        counts[i] = i < targets ? 1 + own % 2 : 1 + (from[i - targets] == MPI_PROC_NULL ? 0 : from[i - targets] % 2);
        places[i] = 2 * at;
        bytes[i] = 2 * at * sizeof(int);
        types[i] = MPI_INT;
    }
    for (int form = 0; form < 2; form++) {
        for (int i = 0; i < 2 * sources; i++)
            turned[i] = -1;
        if (form == 0)
            MPI_Neighbor_alltoallv(blocks, counts, places, MPI_INT, turned, counts + targets, places + targets, MPI_INT, comm);
        else
            MPI_Neighbor_alltoallw(blocks, counts, bytes, types, turned, counts + targets, bytes + targets, types + targets,
                                   comm);
        for (int i = 0; i < sources; i++)
            for (int j = 0; j < 2; j++) {
                int is_there = from[i] != MPI_PROC_NULL && j < counts[targets + i];
                CHECK(turned[places[targets + i] + j] == (is_there ? 100 * from[i] + edge_there[i] : -1));
            }
    }
    free(sent), free(got), free(counts), free(places), free(blocks), free(turned), free(bytes), free(types);
}

static void grids(void)
{
    int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], at[2], kept[2] = {0, 1}, kind, found, line_rank, line_size;
    int from[4], edges[4] = {1, 0, 3, 2};
    MPI_Comm grid, line, copy;
    MPI_Dims_create(size, 2, dims);
    CHECK(dims[0] * dims[1] == size && dims[0] >= dims[1]);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Topo_test(grid, &kind);
    CHECK(kind == MPI_CART);
    MPI_Cart_coords(grid, rank, 2, coords);
    CHECK(coords[0] == rank / dims[1] && coords[1] == rank % dims[1]);
    at[0] = coords[0] - dims[0], at[1] = coords[1];
    MPI_Cart_rank(grid, at, &found);
    CHECK(found == rank);
    for (int direction = 0; direction < 2; direction++)
        MPI_Cart_shift(grid, direction, 1, &from[2 * direction], &from[2 * direction + 1]);
    CHECK(from[0] == (coords[0] ? rank - dims[1] : rank + size - dims[1]));
    CHECK(from[2] == (coords[1] ? rank - 1 : MPI_PROC_NULL));
    exchange(grid, 4, from, edges, 4);
    MPI_Cart_sub(grid, kept, &line);
    MPI_Comm_rank(line, &line_rank);
    MPI_Comm_size(line, &line_size);
    CHECK(line_rank == coords[1] && line_size == dims[1]);
    MPI_Cartdim_get(line, &found);
    CHECK(found == 1);
    MPI_Comm_dup(line, &copy);
    MPI_Cart_get(copy, 1, dims, periods, at);
    CHECK(dims[0] == line_size && periods[0] == 0 && at[0] == line_rank);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&line);
    MPI_Comm_free(&grid);
    dims[0] = size - 1, periods[0] = 1;
    if (size > 1) {
        MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &grid);
        CHECK((grid == MPI_COMM_NULL) == (rank == size - 1));
        if (grid != MPI_COMM_NULL)
            MPI_Comm_free(&grid);
    }
    int three[3] = {0, 2, 0};
    MPI_Dims_create(24, 3, three);
    CHECK(three[0] == 4 && three[1] == 2 && three[2] == 3);
}

/* A star: rank 0 is the neighbor of all others. */
static void graphs(void)
{
    int *index = malloc(size * sizeof(int)), *edges = malloc(2 * size * sizeof(int)), *zeros = calloc(size, sizeof(int));
    int nodes, count, found[1], kind;
    MPI_Comm star;
    for (int i = 0; i < size; i++) {
        index[i] = size - 1 + i;
        edges[i] = i < size - 1 ? i + 1 : 0;
        edges[size + i] = 0;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &star);
    MPI_Topo_test(star, &kind);
    CHECK(kind == MPI_GRAPH);
    MPI_Graphdims_get(star, &nodes, &count);
    CHECK(nodes == size && count == 2 * (size - 1));
    MPI_Graph_neighbors_count(star, size - 1, &count);
    CHECK(count == (size > 1));
    found[0] = 0;
    MPI_Graph_neighbors(star, size - 1, 1, found);
    CHECK(found[0] == 0);
    int there = rank - 1;
    if (rank == 0)
        exchange(star, size - 1, edges, zeros, size - 1);
    else
        exchange(star, 1, zeros, &there, 1);
    MPI_Comm_free(&star);
    free(index), free(edges), free(zeros);
}

/* Each rank sends to the next one, and by two edges to the one after it. */
static void distributed_graphs(void)
{
    int targets[3] = {(rank + 1) % size, (rank + 2) % size, (rank + 2) % size}, weights[3] = {1, 2, 3};
    int sources[3] = {(rank + size - 1) % size, (rank + size - 2) % size, (rank + size - 2) % size};
    int edges[3] = {0, 1, 2}, in, out, weighted, from[3], to[3], from_weights[3], to_weights[3];
    MPI_Comm ring, copy;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, sources, weights, 3, targets, weights, MPI_INFO_NULL, 0, &ring);
    MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
    CHECK(in == 3 && out == 3 && weighted);
    exchange(ring, 3, sources, edges, 3);
    MPI_Comm_dup(ring, &copy);
    MPI_Dist_graph_neighbors(copy, 3, from, from_weights, 3, to, to_weights);
    for (int i = 0; i < 3; i++)
        CHECK(from[i] == sources[i] && to[i] == targets[i] && from_weights[i] == i + 1 && to_weights[i] == i + 1);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&ring);

    /* The same edges, named by the rank before the one that they come from. */
    int source = (rank + 1) % size, degree = 3;
    for (int i = 0; i < 3; i++)
        to[i] = (source + (i ? 2 : 1)) % size;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &source, &degree, to, weights, MPI_INFO_NULL, 0, &ring);
    MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
    CHECK(in == 3 && out == 3 && weighted);
    MPI_Dist_graph_neighbors(ring, 3, from, from_weights, 3, to, to_weights);
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        CHECK(to[i] == (rank + (to_weights[i] > 1 ? 2 : 1)) % size);
        CHECK(from[i] == (rank + size - (from_weights[i] > 1 ? 2 : 1)) % size);
        sum += 10 * to_weights[i] + from_weights[i];
    }
    CHECK(sum == 66);
    MPI_Comm_free(&ring);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
    MPI_Dist_graph_neighbors_count(ring, &in, &out, &weighted);
    CHECK(in == 0 && out == 0 && !weighted);
    exchange(ring, 0, NULL, NULL, 0);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    grids();
    graphs();
    distributed_graphs();
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

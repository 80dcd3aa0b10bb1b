/* Collectives that do not block, and persistent ones, in the same order at all ranks. */
#include "check.h"

#define N 16

static int rank, size, root;

/* A collective as a request. */
#define BEGIN(name, ...)                                                                                              \
    do {                                                                                                              \
        MPI_Request request;                                                                                          \
        MPI_I##name(__VA_ARGS__, &request);                                                                           \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                        \
    } while (0)

#if MPI_VERSION >= 4
/* A persistent one, which is started twice. */
#define PERSIST(Name, ...)                                                                                            \
    do {                                                                                                              \
        MPI_Request request;                                                                                          \
        MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &request);                                                      \
        for (int round = 0; round < 2; round++) {                                                                     \
            MPI_Start(&request);                                                                                      \
            MPI_Wait(&request, MPI_STATUS_IGNORE);                                                                    \
        }                                                                                                             \
        MPI_Request_free(&request);                                                                                   \
    } while (0)
#else
#define PERSIST(Name, ...) MPI_Abort(MPI_COMM_WORLD, 4)
#endif

#define CALL(Name, name, ...)                                                                                         \
    do {                                                                                                              \
        if (is_persistent)                                                                                            \
            PERSIST(Name, __VA_ARGS__);                                                                               \
        else                                                                                                          \
            BEGIN(name, __VA_ARGS__);                                                                                 \
    } while (0)

static void all_collectives(int is_persistent, MPI_Comm comm)
{
    int one[1], all[3 * N], back[3 * N], counts[N], places[N], total = 0;
    int bytes[N], received_bytes[N];
    MPI_Datatype types[N];
    for (int i = 0; i < size; i++) {
        counts[i] = i % 3;
        places[i] = total;
        total += counts[i];
    }

    CALL(Barrier, barrier, comm);
    one[0] = rank == root ? 77 : 0;
    CALL(Bcast, bcast, one, 1, MPI_INT, root, comm);
    CHECK(one[0] == 77);

    one[0] = 3 * rank;
    CALL(Gather, gather, one, 1, MPI_INT, all, 1, MPI_INT, root, comm);
    for (int i = 0; rank == root && i < size; i++)
        CHECK(all[i] == 3 * i);
    CALL(Allgather, allgather, one, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        CHECK(all[i] == 3 * i);
    CALL(Scatter, scatter, all, 1, MPI_INT, one, 1, MPI_INT, root, comm);
    CHECK(one[0] == 3 * rank);
    for (int i = 0; i < size; i++)
        all[i] = 100 * rank + i;
    CALL(Alltoall, alltoall, all, 1, MPI_INT, back, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        CHECK(back[i] == 100 * i + rank);

    one[0] = rank + 1;
    CALL(Reduce, reduce, one, back, 1, MPI_INT, MPI_SUM, root, comm);
    CHECK(rank != root || back[0] == size * (size + 1) / 2);
    CALL(Allreduce, allreduce, one, back, 1, MPI_INT, MPI_MAX, comm);
    CHECK(back[0] == size);
    CALL(Scan, scan, one, back, 1, MPI_INT, MPI_SUM, comm);
    CHECK(back[0] == (rank + 1) * (rank + 2) / 2);
    CALL(Exscan, exscan, one, back, 1, MPI_INT, MPI_SUM, comm);
    CHECK(rank == 0 || back[0] == rank * (rank + 1) / 2);
    CALL(Reduce_scatter_block, reduce_scatter_block, all, back, 1, MPI_INT, MPI_SUM, comm);
    CHECK(back[0] == 100 * size * (size - 1) / 2 + size * rank);
    for (int i = 0; i < total; i++)
        all[i] = rank + i;
    CALL(Reduce_scatter, reduce_scatter, all, back, counts, MPI_INT, MPI_SUM, comm);
    for (int i = 0; i < counts[rank]; i++)
        CHECK(back[i] == size * (size - 1) / 2 + size * (places[rank] + i));

    int mine[2] = {10 * rank, 10 * rank + 1};
    CALL(Gatherv, gatherv, mine, counts[rank], MPI_INT, back, counts, places, MPI_INT, root, comm);
    for (int i = 0; rank == root && i < size; i++)
        for (int j = 0; j < counts[i]; j++)
            CHECK(back[places[i] + j] == 10 * i + j);
    CALL(Allgatherv, allgatherv, mine, counts[rank], MPI_INT, all, counts, places, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < counts[i]; j++)
            CHECK(all[places[i] + j] == 10 * i + j);
    CALL(Scatterv, scatterv, all, counts, places, MPI_INT, back, counts[rank], MPI_INT, root, comm);
    for (int j = 0; j < counts[rank]; j++)
        CHECK(back[j] == 10 * rank + j);

    int sent[N], received[N], from[N], to[N];
    for (int i = 0; i < size; i++) {
        sent[i] = (rank + i) % 3;
        received[i] = (rank + i) % 3;
        from[i] = i ? from[i - 1] + sent[i - 1] : 0;
        to[i] = i ? to[i - 1] + received[i - 1] : 0;
        for (int j = 0; j < sent[i]; j++)
            all[from[i] + j] = 1000 * rank + 10 * i + j;
        bytes[i] = from[i] * sizeof(int);
        received_bytes[i] = to[i] * sizeof(int);
        types[i] = MPI_INT;
    }
    CALL(Alltoallv, alltoallv, all, sent, from, MPI_INT, back, received, to, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < received[i]; j++)
            CHECK(back[to[i] + j] == 1000 * i + 10 * rank + j);
    memset(back, 0, sizeof back);
    CALL(Alltoallw, alltoallw, all, sent, bytes, types, back, received, received_bytes, types, comm);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < received[i]; j++)
            CHECK(back[to[i] + j] == 1000 * i + 10 * rank + j);
}

/* Several at a time, which end in any order. */
static void overlap(void)
{
    int values[4] = {rank, rank, rank, rank}, sums[4], index;
    MPI_Request requests[4];
    for (int i = 0; i < 4; i++)
        MPI_Iallreduce(&values[i], &sums[i], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 4; i++)
        MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++)
        CHECK(sums[i] == size * (size - 1) / 2);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(size <= N);
    root = size - 1;
    all_collectives(0, MPI_COMM_WORLD);
#if MPI_VERSION >= 4
    all_collectives(1, MPI_COMM_WORLD);
#endif
    overlap();
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

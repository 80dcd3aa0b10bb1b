/* A sample sort: splitters from all ranks, an exchange of the keys between them, and a check of the order. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define KEYS 500

static int compare(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    unsigned keys[KEYS], state = 12345 + rank, *samples = malloc(size * sizeof *samples);
    for (int i = 0; i < KEYS; i++) {
        state = state * 1664525u + 1013904223u;
        keys[i] = state >> 8;
    }
    qsort(keys, KEYS, sizeof *keys, compare);
    MPI_Allgather(&keys[KEYS / 2], 1, MPI_UNSIGNED, samples, 1, MPI_UNSIGNED, MPI_COMM_WORLD);
    qsort(samples, size, sizeof *samples, compare);

    int *sent = calloc(4 * size, sizeof *sent), *received = sent + size;
    int *from = sent + 2 * size, *to = sent + 3 * size;
    for (int i = 0, part = 0; i < KEYS; i++) {
        while (part < size - 1 && keys[i] >= samples[part + 1])
            part++;
        sent[part]++;
    }
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 1; i < size; i++) {
        from[i] = from[i - 1] + sent[i - 1];
        to[i] = to[i - 1] + received[i - 1];
    }
    int count = to[size - 1] + received[size - 1];
    unsigned *sorted = malloc((count + 1) * sizeof *sorted);
    MPI_Alltoallv(keys, sent, from, MPI_UNSIGNED, sorted, received, to, MPI_UNSIGNED, MPI_COMM_WORLD);
    qsort(sorted, count, sizeof *sorted, compare);

    /* The largest key goes to the next rank, whose keys are no smaller. */
    unsigned largest = count ? sorted[count - 1] : 0, before = 0;
    MPI_Exscan(&largest, &before, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    CHECK(rank == 0 || count == 0 || before <= sorted[0]);
    unsigned long own = 0, sums[2] = {0, count}, all[2];
    for (int i = 0; i < count; i++)
        sums[0] += sorted[i];
    for (int i = 0; i < KEYS; i++)
        own += keys[i];
    MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(sums, all, 2, MPI_UNSIGNED_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(all[0] == own && all[1] == (unsigned long)size * KEYS);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

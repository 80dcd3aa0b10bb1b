/* Ranks compute for different times between their calls: what a recording of computing times is for. With an argument,
 * rank 1 makes another call, one more, or one less than without. */
#include "check.h"

static double compute(int rank, int step)
{
    volatile double sum = 0.0;
    for (int term = 1; term < 20000 * (1 + (rank + step) % 3); term++)
        sum += 1.0 / term;
    return sum;
}

int main(int argc, char **argv)
{
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const char *change = argc > 1 && rank == 1 ? argv[1] : "";
    for (int step = 0; step < 5; step++) {
        double own = compute(rank, step), all = 0.0, from = 0.0;
        MPI_Sendrecv(&own, 1, MPI_DOUBLE, (rank + 1) % ranks, 0, &from, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(from == compute((rank + ranks - 1) % ranks, step));
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        CHECK(all >= own);
        if (step == 3 && strcmp(change, "another call") == 0)
            MPI_Wtime();
    }
    if (strcmp(change, "one call less") != 0)
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(change, "another last call") == 0)
        MPI_Comm_rank(MPI_COMM_WORLD, &ranks);
    MPI_Finalize();
    return 0;
}

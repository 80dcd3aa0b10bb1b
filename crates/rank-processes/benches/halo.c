/* A three-dimensional halo exchange of 1 KB, for the benchmark of calls: NX NY NZ STEPS. */
#include <mpi.h>
#include <stdlib.h>

enum { SIDES = 6, DOUBLES = 128 };

int main(int argc, char **argv)
{
    static double sent[SIDES][DOUBLES], received[SIDES][DOUBLES];
    int rank, steps = atoi(argv[4]), peers[SIDES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int side = 0, stride = 1; side < SIDES; side += 2) {
        int length = atoi(argv[1 + side / 2]), place = rank / stride % length, others = rank - place * stride;
        peers[side] = others + (place + length - 1) % length * stride;
        peers[side + 1] = others + (place + 1) % length * stride;
        stride *= length;
    }
    for (int step = 0; step < steps; step++) {
        MPI_Request requests[2 * SIDES];
        for (int side = 0; side < SIDES; side++)
            MPI_Irecv(received[side], DOUBLES, MPI_DOUBLE, peers[side], side ^ 1, MPI_COMM_WORLD, &requests[side]);
        for (int side = 0; side < SIDES; side++)
            MPI_Isend(sent[side], DOUBLES, MPI_DOUBLE, peers[side], side, MPI_COMM_WORLD, &requests[SIDES + side]);
        MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}

/* Exchanges faces with six neighbors on a periodic grid, and checks what arrives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define DOUBLES 128 /* 1 KB */

static int factor(int ranks, int at_most)
{
    while (ranks % at_most)
        at_most--;
    return at_most;
}

int main(int argc, char **argv)
{
    int rank, ranks, steps = argc > 1 ? atoi(argv[1]) : 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int nx = factor(ranks, 8), ny = factor(ranks / nx, 8), nz = ranks / nx / ny;
    int x = rank % nx, y = rank / nx % ny, z = rank / nx / ny;
#define AT(x, y, z) (((x) + nx) % nx + nx * ((((y) + ny) % ny) + ny * (((z) + nz) % nz)))
    int peers[6] = {AT(x - 1, y, z), AT(x + 1, y, z), AT(x, y - 1, z),
                    AT(x, y + 1, z), AT(x, y, z - 1), AT(x, y, z + 1)};
    static double sent[6][DOUBLES], received[6][DOUBLES];
    for (int step = 0; step < steps; step++) {
        MPI_Request requests[12];
        for (int side = 0; side < 6; side++)
            MPI_Irecv(received[side], DOUBLES, MPI_DOUBLE, peers[side], side ^ 1, MPI_COMM_WORLD, &requests[side]);
        for (int side = 0; side < 6; side++) {
            for (int i = 0; i < DOUBLES; i++)
                sent[side][i] = rank + 1000.0 * step + i / 1024.0;
            MPI_Isend(sent[side], DOUBLES, MPI_DOUBLE, peers[side], side, MPI_COMM_WORLD, &requests[6 + side]);
        }
        MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
        for (int side = 0; side < 6; side++)
            for (int i = 0; i < DOUBLES; i++)
                if (received[side][i] != peers[side] + 1000.0 * step + i / 1024.0) {
                    printf("rank %d: wrong data of side %d in step %d\n", rank, side, step);
                    MPI_Abort(MPI_COMM_WORLD, 3);
                }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

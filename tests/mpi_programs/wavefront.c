/* A wavefront over a grid of ranks, as in Sweep3D: from each of four corners, one block of cells after the other. */
#include <mpi.h>

#include "check.h"

#define BLOCKS 5
#define CELLS 200

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int columns = 1;
    while (columns * columns < size)
        columns *= 2;
    int rows = size / columns, row = rank / columns, column = rank % columns;
    for (int corner = 0; corner < 4; corner++) {
        int down = corner & 1 ? -1 : 1, right = corner & 2 ? -1 : 1;
        int is_first_row = row == (down > 0 ? 0 : rows - 1), is_last_row = row == (down > 0 ? rows - 1 : 0);
        int is_first_column = column == (right > 0 ? 0 : columns - 1);
        int is_last_column = column == (right > 0 ? columns - 1 : 0);
        for (int block = 0; block < BLOCKS; block++) {
            long above[CELLS], before[CELLS], here[CELLS];
            MPI_Status status;
            int count;
            for (int i = 0; i < CELLS; i++)
                above[i] = before[i] = block;
            if (!is_first_row) {
                MPI_Recv(above, CELLS, MPI_LONG, rank - down * columns, 1, MPI_COMM_WORLD, &status);
                MPI_Get_count(&status, MPI_LONG, &count);
                CHECK(count == CELLS && status.MPI_TAG == 1 && status.MPI_SOURCE == rank - down * columns);
            }
            if (!is_first_column)
                MPI_Recv(before, CELLS, MPI_LONG, rank - right, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < CELLS; i++)
                here[i] = above[i] + before[i] + i;
            if (!is_last_row)
                MPI_Send(here, CELLS, MPI_LONG, rank + down * columns, 1, MPI_COMM_WORLD);
            if (!is_last_column)
                MPI_Send(here, CELLS, MPI_LONG, rank + right, 2, MPI_COMM_WORLD);
            /* Each cell is a sum over all ways from the first rank. */
            int from_row = down > 0 ? row : rows - 1 - row, from_column = right > 0 ? column : columns - 1 - column;
            static long expected[64][64];
            for (int r = 0; r <= from_row; r++)
                for (int c = 0; c <= from_column; c++)
                    expected[r][c] = (r ? expected[r - 1][c] : block) + (c ? expected[r][c - 1] : block) + CELLS - 1;
            CHECK(here[CELLS - 1] == expected[from_row][from_column]);
        }
    }
    long mine = rank, sum;
    MPI_Reduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    CHECK(rank || sum == (long)size * (size - 1) / 2);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

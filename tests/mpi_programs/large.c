/* Counts of 64 bits, and persistent collectives of neighbors: what MPI 4 has added. */
#include "check.h"

static int rank, size;

static void count_in_64_bits(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    long sent[5] = {rank, 1, 2, 3, 4}, received[5], sums[5], *all = malloc(5 * size * sizeof *all);
    MPI_Count count, bytes, *counts = malloc(2 * size * sizeof *counts);
    MPI_Aint *places = malloc(size * sizeof *places);
    MPI_Datatype type;
    MPI_Status status;
    MPI_Request request;
    MPI_Irecv_c(received, 5, MPI_LONG, left, 1, MPI_COMM_WORLD, &request);
    MPI_Send_c(sent, 5, MPI_LONG, right, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    MPI_Get_count_c(&status, MPI_LONG, &count);
    CHECK(count == 5 && received[0] == left && received[4] == 4);
    MPI_Bcast_c(sent, 5, MPI_LONG, 0, MPI_COMM_WORLD);
    CHECK(sent[0] == 0);
    sent[0] = rank;
    MPI_Allreduce_c(sent, sums, 5, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sums[0] == (long)size * (size - 1) / 2 && sums[4] == 4 * size);
    for (int i = 0; i < size; i++) {
        counts[i] = counts[size + i] = 5;
        places[i] = 5 * i;
    }
    MPI_Allgatherv_c(sent, 5, MPI_LONG, all, counts, places, MPI_LONG, MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK(all[5 * i] == i && all[5 * i + 3] == 3);
    MPI_Type_contiguous_c((MPI_Count)1 << 33, MPI_INT, &type);
    MPI_Type_size_c(type, &bytes);
    CHECK(bytes == (MPI_Count)4 << 33);
    int small;
    MPI_Type_size(type, &small);
    CHECK(small == MPI_UNDEFINED);
    MPI_Type_free(&type);
    free(all), free(counts), free(places);
}

static void meet_neighbors_again(void)
{
    int periods[1] = {1}, lengths[1] = {size}, sent[2], received[2] = {-1, -1};
    MPI_Comm ring;
    MPI_Request request;
    MPI_Cart_create(MPI_COMM_WORLD, 1, lengths, periods, 0, &ring);
    MPI_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, ring, MPI_INFO_NULL, &request);
    for (int round = 0; round < 3; round++) {
        sent[0] = 10 * rank + round;
        sent[1] = 1000 + 10 * rank + round;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(received[0] == 1000 + 10 * ((rank + size - 1) % size) + round);
        CHECK(received[1] == 10 * ((rank + 1) % size) + round);
    }
    MPI_Request_free(&request);
    MPI_Comm_free(&ring);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    count_in_64_bits();
    meet_neighbors_again();
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

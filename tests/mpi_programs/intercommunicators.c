/* Two groups of ranks: messages and collectives between them, and one communicator of both. */
#include "check.h"

int main(int argc, char **argv)
{
    int rank, size, own, own_size, far_size, is_inter, all_size, all_rank;
    MPI_Comm half, between, both, copy;
    MPI_Group far;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int side = rank % 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
    MPI_Comm_rank(half, &own);
    MPI_Comm_size(half, &own_size);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 5, &between);
    MPI_Comm_test_inter(between, &is_inter);
    MPI_Comm_remote_size(between, &far_size);
    MPI_Comm_remote_group(between, &far);
    CHECK(is_inter && far_size == size - own_size);
    MPI_Group_free(&far);
    MPI_Comm_test_inter(half, &is_inter);
    CHECK(!is_inter);

    /* A message to the same rank of the other group. */
    int sent = rank, received = -1, *all = malloc(size * sizeof *all);
    if (own < far_size) {
        MPI_Status status;
        MPI_Sendrecv(&sent, 1, MPI_INT, own, 0, &received, 1, MPI_INT, own, 0, between, &status);
        CHECK(received == (rank ^ 1) && status.MPI_SOURCE == own);
    }

    /* Each side gets what the other has. */
    MPI_Barrier(between);
    MPI_Allreduce(&sent, &received, 1, MPI_INT, MPI_SUM, between);
    int expected = 0;
    for (int i = 0; i < far_size; i++)
        expected += 2 * i + 1 - side;
    CHECK(received == expected);
    MPI_Allgather(&sent, 1, MPI_INT, all, 1, MPI_INT, between);
    for (int i = 0; i < far_size; i++)
        CHECK(all[i] == 2 * i + 1 - side);

    /* Rank 0 of side 0 is the root. */
    int root = side ? 0 : own ? MPI_PROC_NULL : MPI_ROOT;
    int value = rank == 0 ? 4711 : -1;
    MPI_Bcast(&value, 1, MPI_INT, root, between);
    CHECK(value == (side || rank == 0 ? 4711 : -1));
    MPI_Gather(&sent, 1, MPI_INT, all, 1, MPI_INT, root, between);
    for (int i = 0; rank == 0 && i < far_size; i++)
        CHECK(all[i] == 2 * i + 1);

    MPI_Comm_dup(between, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Intercomm_merge(between, side, &both);
    MPI_Comm_size(both, &all_size);
    MPI_Comm_rank(both, &all_rank);
    CHECK(all_size == size && all_rank == (side ? (size + 1) / 2 + own : own));
    MPI_Allreduce(&sent, &received, 1, MPI_INT, MPI_SUM, both);
    CHECK(received == size * (size - 1) / 2);
    MPI_Comm_free(&both);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    free(all);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

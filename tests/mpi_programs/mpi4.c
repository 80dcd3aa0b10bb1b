/* What MPI 4 has added: sessions, partitioned messages, large counts, and persistent collectives of neighbors. */
#include "check.h"

static int rank, size;

static void use_a_session(void)
{
    int count, length, own, all, sum;
    char name[MPI_MAX_PSET_NAME_LEN];
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info info;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
    CHECK(count >= 2);
    int has_world = 0;
    for (int i = 0; i < count; i++) {
        length = sizeof name;
        MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
        has_world |= strcmp(name, "mpi://WORLD") == 0;
    }
    CHECK(has_world);
    MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
    MPI_Info_free(&info);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "tests", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &all);
    CHECK(own == rank && all == size);
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == size * (size - 1) / 2);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
}

static void send_in_parts(void)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, has_arrived;
    double sent[12], received[12] = {0};
    MPI_Request requests[2];
    MPI_Precv_init(received, 3, 4, MPI_DOUBLE, left, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Psend_init(sent, 4, 3, MPI_DOUBLE, right, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 12; i++)
            sent[i] = 100 * round + 12 * rank + i;
        MPI_Startall(2, requests);
        MPI_Pready(2, requests[1]);
        MPI_Pready_range(0, 1, requests[1]);
        int last[] = {3};
        MPI_Pready_list(1, last, requests[1]);
        do
            MPI_Parrived(requests[0], 1, &has_arrived);
        while (!has_arrived);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 12; i++)
            CHECK(received[i] == 100 * round + 12 * left + i);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

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
    use_a_session();
    send_in_parts();
    count_in_64_bits();
    meet_neighbors_again();
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

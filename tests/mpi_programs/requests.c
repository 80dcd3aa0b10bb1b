/* Requests: waits and tests for one, any, some and all, persistent ones, probes, and messages that are cancelled. */
#include "check.h"

#define COUNT 4

static int rank, size, right, left;

static void begin(int tag, int *sent, int *received, MPI_Request *requests)
{
    for (int i = 0; i < COUNT; i++) {
        sent[i] = 1000 * rank + 10 * tag + i;
        received[i] = -1;
        MPI_Irecv(&received[i], 1, MPI_INT, left, tag + i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < COUNT; i++)
        MPI_Isend(&sent[i], 1, MPI_INT, right, tag + i, MPI_COMM_WORLD, &requests[COUNT + i]);
}

static void check(int tag, const int *received)
{
    for (int i = 0; i < COUNT; i++)
        CHECK(received[i] == 1000 * left + 10 * tag + i);
}

static void wait_in_all_ways(void)
{
    int sent[COUNT], received[COUNT], index, flag, count, indices[2 * COUNT];
    MPI_Request requests[2 * COUNT];
    MPI_Status statuses[2 * COUNT], status;

    begin(0, sent, received, requests);
    for (int i = 0; i < 2 * COUNT; i++)
        MPI_Wait(&requests[i], i % 2 ? MPI_STATUS_IGNORE : &status);
    check(0, received);

    begin(10, sent, received, requests);
    MPI_Waitall(2 * COUNT, requests, statuses);
    for (int i = 0; i < COUNT; i++) {
        MPI_Get_count(&statuses[i], MPI_INT, &count);
        CHECK(count == 1 && statuses[i].MPI_SOURCE == left && statuses[i].MPI_TAG == 10 + i);
        CHECK(requests[i] == MPI_REQUEST_NULL);
    }
    check(10, received);

    begin(20, sent, received, requests);
    for (int i = 0; i < 2 * COUNT; i++) {
        MPI_Waitany(2 * COUNT, requests, &index, &status);
        CHECK(index >= 0 && index < 2 * COUNT && requests[index] == MPI_REQUEST_NULL);
    }
    MPI_Waitany(2 * COUNT, requests, &index, &status);
    CHECK(index == MPI_UNDEFINED);
    check(20, received);

    begin(30, sent, received, requests);
    for (int ended = 0; ended < 2 * COUNT; ended += count) {
        MPI_Waitsome(2 * COUNT, requests, &count, indices, statuses);
        CHECK(count > 0 && ended + count <= 2 * COUNT);
        for (int i = 0; i < count; i++)
            CHECK(indices[i] >= COUNT || statuses[i].MPI_TAG == 30 + indices[i]);
    }
    MPI_Waitsome(2 * COUNT, requests, &count, indices, statuses);
    CHECK(count == MPI_UNDEFINED);
    check(30, received);

    begin(40, sent, received, requests);
    for (int i = 0; i < 2 * COUNT; i++)
        do
            MPI_Test(&requests[i], &flag, &status);
        while (!flag);
    check(40, received);

    begin(50, sent, received, requests);
    do
        MPI_Testall(2 * COUNT, requests, &flag, statuses);
    while (!flag);
    check(50, received);

    begin(60, sent, received, requests);
    for (int ended = 0; ended < 2 * COUNT; ended += flag) {
        MPI_Testany(2 * COUNT, requests, &index, &flag, &status);
        CHECK(!flag || requests[index] == MPI_REQUEST_NULL);
    }
    MPI_Testany(2 * COUNT, requests, &index, &flag, &status);
    CHECK(flag && index == MPI_UNDEFINED);
    check(60, received);

    begin(70, sent, received, requests);
    for (int ended = 0; ended < 2 * COUNT; ended += count)
        MPI_Testsome(2 * COUNT, requests, &count, indices, MPI_STATUSES_IGNORE);
    check(70, received);
}

static void start_again(void)
{
    int sent[3] = {rank, rank + 100, rank + 200}, received[3];
    MPI_Request requests[6];
    for (int i = 0; i < 3; i++)
        MPI_Recv_init(&received[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
    MPI_Send_init(&sent[0], 1, MPI_INT, right, 0, MPI_COMM_WORLD, &requests[3]);
    MPI_Ssend_init(&sent[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &requests[4]);
    MPI_Send_init(&sent[2], 1, MPI_INT, right, 2, MPI_COMM_WORLD, &requests[5]);
    for (int round = 0; round < 3; round++) {
        MPI_Startall(6, requests);
        MPI_Waitall(6, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 3; i++) {
            CHECK(received[i] == left + 100 * i + 1000 * round);
            CHECK(requests[i] != MPI_REQUEST_NULL);
            sent[i] += 1000;
        }
    }
    MPI_Start(&requests[0]);
    MPI_Start(&requests[3]);
    MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    CHECK(received[0] == left + 3000);
    for (int i = 0; i < 6; i++)
        MPI_Request_free(&requests[i]);
}

static void probe(void)
{
    int value[5] = {rank, 1, 2, 3, 4}, other[5], count, flag;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;

    MPI_Isend(value, 3, MPI_INT, right, 5, MPI_COMM_WORLD, &request);
    MPI_Probe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 3 && status.MPI_SOURCE == left && status.MPI_TAG == 5);
    MPI_Recv(other, count, MPI_INT, left, 5, MPI_COMM_WORLD, &status);
    CHECK(other[0] == left && other[2] == 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Isend(value, 4, MPI_INT, right, 6, MPI_COMM_WORLD, &request);
    do
        MPI_Iprobe(MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &flag, &status);
    while (!flag);
    CHECK(status.MPI_SOURCE == left);
    MPI_Mprobe(left, 6, MPI_COMM_WORLD, &message, &status);
    CHECK(message != MPI_MESSAGE_NULL);
    MPI_Mrecv(other, 5, MPI_INT, &message, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 4 && other[3] == 3 && message == MPI_MESSAGE_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Issend(value, 5, MPI_INT, right, 7, MPI_COMM_WORLD, &request);
    do
        MPI_Improbe(left, 7, MPI_COMM_WORLD, &flag, &message, &status);
    while (!flag);
    MPI_Request receiving;
    MPI_Imrecv(other, 5, MPI_INT, &message, &receiving);
    MPI_Wait(&receiving, &status);
    CHECK(other[4] == 4 && status.MPI_TAG == 7);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void send_in_all_modes(void)
{
    int value = rank, other = -1, flag, bytes;
    MPI_Request request;
    MPI_Status status;
    void *buffer;

    MPI_Sendrecv(&value, 1, MPI_INT, right, 1, &other, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &status);
    CHECK(other == left && status.MPI_SOURCE == left);
    MPI_Sendrecv_replace(&value, 1, MPI_INT, right, 2, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(value == left);
    MPI_Irecv(&other, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    value = rank + 1;
    MPI_Rsend(&value, 1, MPI_INT, right, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(other == left + 1);
    MPI_Buffer_attach(malloc(1000 + MPI_BSEND_OVERHEAD), 1000 + MPI_BSEND_OVERHEAD);
    value = rank + 2;
    MPI_Bsend(&value, 1, MPI_INT, right, 4, MPI_COMM_WORLD);
    value = -7;
    MPI_Recv(&other, 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK(other == left + 2);
    MPI_Buffer_detach(&buffer, &bytes);
    CHECK(bytes == 1000 + MPI_BSEND_OVERHEAD);
    free(buffer);

    MPI_Irecv(&other, 1, MPI_INT, left, 99, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);

    other = 5;
    MPI_Recv(&other, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &bytes);
    CHECK(other == 5 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && bytes == 0);
    MPI_Isend(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Isend(&value, 1, MPI_INT, right, 8, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Recv(&other, 1, MPI_INT, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&other, 1, MPI_INT, left, 9, MPI_COMM_WORLD, &request);
    MPI_Send(&value, 1, MPI_INT, right, 9, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size, left = (rank + size - 1) % size;
    wait_in_all_ways();
    start_again();
    probe();
    send_in_all_modes();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

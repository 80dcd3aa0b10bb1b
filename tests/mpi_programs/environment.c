/* Clocks, names, levels of threads, conversions of handles, and communicators made in other ways. */
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

/* The standard interface has other names for the conversions of handles. */
#if MPI_VERSION >= 5
#define TO_INT(kind) MPI_##kind##_toint
#define FROM_INT(kind) MPI_##kind##_fromint
#else
#define TO_INT(kind) MPI_##kind##_c2f
#define FROM_INT(kind) MPI_##kind##_f2c
#endif

static int query_calls, free_calls;

static int query(void *extra, MPI_Status *status)
{
    query_calls++;
    MPI_Status_set_elements(status, MPI_INT, 3);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = *(int *)extra;
    status->MPI_TAG = 9;
    return MPI_SUCCESS;
}

static int release(void *extra)
{
    free_calls += extra != NULL;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    return extra && complete ? MPI_SUCCESS : MPI_ERR_OTHER;
}

int main(int argc, char **argv)
{
    int rank, size, flag, provided, length, count, own;
    char name[MPI_MAX_PROCESSOR_NAME];
    MPI_Comm comm;
    MPI_Request request;
    MPI_Status status;
    MPI_Initialized(&flag);
    CHECK(!flag);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Initialized(&flag);
    CHECK(flag);
    CHECK(provided == MPI_THREAD_FUNNELED);
    MPI_Query_thread(&flag);
    CHECK(flag == provided);
    MPI_Is_thread_main(&flag);
    CHECK(flag);
    MPI_Finalized(&flag);
    CHECK(!flag);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(name, &length);
    CHECK(length > 0 && (int)strlen(name) == length);

    /* A sleep takes simulated time, on every clock. */
    double begin = MPI_Wtime(), tick = MPI_Wtick();
    struct timeval before, after;
    gettimeofday(&before, NULL);
    sleep(3);
    gettimeofday(&after, NULL);
    CHECK(tick > 0 && tick < 1e-6);
    CHECK(MPI_Wtime() - begin >= 3 && MPI_Wtime() - begin < 3.001);
    CHECK(after.tv_sec - before.tv_sec == 3);
    usleep(1500);
    CHECK(MPI_Wtime() - begin >= 3.0015 && MPI_Wtime() - begin < 3.0025);
    begin = MPI_Wtime();
    while (MPI_Wtime() - begin < 1e-4)
        ;

    MPI_Comm same = FROM_INT(Comm)(TO_INT(Comm)(MPI_COMM_WORLD));
    MPI_Datatype type = FROM_INT(Type)(TO_INT(Type)(MPI_DOUBLE));
    MPI_Op op = FROM_INT(Op)(TO_INT(Op)(MPI_MAX));
    MPI_Group group = FROM_INT(Group)(TO_INT(Group)(MPI_GROUP_EMPTY));
    CHECK(same == MPI_COMM_WORLD && type == MPI_DOUBLE && op == MPI_MAX && group == MPI_GROUP_EMPTY);

    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    MPI_Comm_size(comm, &count);
    CHECK(count == 1); /* one rank on a node */
    MPI_Comm_free(&comm);
    MPI_Comm_idup(MPI_COMM_WORLD, &comm, &request);
    MPI_Wait(&request, &status);
    MPI_Comm_compare(comm, MPI_COMM_WORLD, &flag);
    CHECK(flag == MPI_CONGRUENT);
    MPI_Comm_disconnect(&comm);
    CHECK(comm == MPI_COMM_NULL);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    if (rank < 2) { /* the others do not know of it */
        int pair[2] = {0, size > 1};
        MPI_Group few;
        MPI_Group_incl(group, size > 1 ? 2 : 1, pair, &few);
        MPI_Comm_create_group(MPI_COMM_WORLD, few, 4, &comm);
        MPI_Comm_rank(comm, &own);
        CHECK(own == rank);
        MPI_Comm_free(&comm);
        MPI_Group_free(&few);
    }
    MPI_Group_free(&group);

    MPI_Grequest_start(query, release, cancel, &rank, &request);
    MPI_Test(&request, &flag, &status);
    CHECK(!flag);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 3 && status.MPI_SOURCE == rank && status.MPI_TAG == 9 && query_calls >= 1 && free_calls == 1);

    MPI_Isend(&rank, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request);
    MPI_Recv(&own, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &status);
    CHECK(own == rank);
    do
        MPI_Request_get_status(request, &flag, &status);
    while (!flag);
    CHECK(request != MPI_REQUEST_NULL);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    request = MPI_REQUEST_NULL;
    MPI_Wait(&request, &status);
    CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && status.MPI_TAG == MPI_ANY_TAG);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(flag);
    MPI_Barrier(MPI_COMM_SELF);
    MPI_Pcontrol(1);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    MPI_Finalized(&flag);
    return !flag;
}

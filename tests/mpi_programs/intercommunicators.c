/* Intercommunicators: messages and collectives between two groups of ranks. */
#include "check.h"

static int world, ranks; /* of all ranks */
static int rank, size, others, is_left;

/* The rank in MPI_COMM_WORLD of a rank of a group: the left one has the first half, the right one the rest. */
static int global(int of_left, int place)
{
    return of_left ? place : ranks / 2 + place;
}

static int sum_of(int of_left, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += global(of_left, i) + 1;
    return sum;
}

static void messages(MPI_Comm inter)
{
    MPI_Status status;
    int value = world, got = -1, peer = rank % others;
    if (rank < others && rank < size) {
        MPI_Sendrecv(&value, 1, MPI_INT, peer, 5, &got, 1, MPI_INT, peer, 5, inter, &status);
        CHECK(got == global(!is_left, peer) && status.MPI_SOURCE == peer && status.MPI_TAG == 5);
        MPI_Request request;
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, &request);
        MPI_Send(&value, 1, MPI_INT, peer, 6, inter);
        MPI_Wait(&request, &status);
        CHECK(status.MPI_SOURCE == peer && status.MPI_TAG == 6);
    }
}

static void with_root(MPI_Comm inter, int from_left, int place, int is_blocking)
{
    int root = is_left != from_left ? place : rank == place ? MPI_ROOT : MPI_PROC_NULL;
    int is_other = is_left != from_left, value = root == MPI_ROOT ? 4711 + place : -1, own = world + 1;
    int *all = malloc(2 * (ranks + 1) * sizeof(int)), counts[64], places[64], mine[2] = {10 * world, 10 * world + 1};
    MPI_Request request;
    if (is_blocking)
        MPI_Bcast(&value, 1, MPI_INT, root, inter);
    else {
        MPI_Ibcast(&value, 1, MPI_INT, root, inter, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    CHECK(value == (is_other || root == MPI_ROOT ? 4711 + place : -1));
    if (is_blocking)
        MPI_Gather(&own, 1, MPI_INT, all, 1, MPI_INT, root, inter);
    else {
        MPI_Igather(&own, 1, MPI_INT, all, 1, MPI_INT, root, inter, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; root == MPI_ROOT && i < others; i++)
        CHECK(all[i] == global(!is_left, i) + 1);
    MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, root, inter);
    CHECK(!is_other || value == own);
    for (int i = 0; i < others; i++)
        counts[i] = 1 + i % 2, places[i] = 2 * i;
    MPI_Gatherv(mine, 1 + rank % 2, MPI_INT, all, counts, places, MPI_INT, root, inter);
    for (int i = 0; root == MPI_ROOT && i < others; i++)
        for (int j = 0; j < counts[i]; j++)
            CHECK(all[2 * i + j] == 10 * global(!is_left, i) + j);
    mine[0] = mine[1] = -1;
    MPI_Scatterv(all, counts, places, MPI_INT, mine, 1 + rank % 2, MPI_INT, root, inter);
    for (int j = 0; is_other && j < 1 + rank % 2; j++)
        CHECK(mine[j] == 10 * world + j);
    value = -1;
    if (is_blocking)
        MPI_Reduce(&own, &value, 1, MPI_INT, MPI_SUM, root, inter);
    else {
        MPI_Ireduce(&own, &value, 1, MPI_INT, MPI_SUM, root, inter, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    CHECK(value == (root == MPI_ROOT ? sum_of(!is_left, others) : -1));
    free(all);
}

static void without_root(MPI_Comm inter)
{
    int own = world + 1, sum, *all = malloc(2 * (ranks + 1) * sizeof(int)), *sent = malloc((ranks + 1) * sizeof(int));
    int counts[64], places[64], ones[64], mine[2] = {10 * world, 10 * world + 1};
    MPI_Request requests[2];
    MPI_Barrier(inter);
    MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        CHECK(all[i] == global(!is_left, i) + 1);
    for (int i = 0; i < others; i++) {
        sent[i] = 100 * world + i;
        counts[i] = 1 + i % 2, places[i] = 2 * i, ones[i] = 1;
    }
    MPI_Allgatherv(mine, 1 + rank % 2, MPI_INT, all, counts, places, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        for (int j = 0; j < counts[i]; j++)
            CHECK(all[2 * i + j] == 10 * global(!is_left, i) + j);
    MPI_Alltoall(sent, 1, MPI_INT, all, 1, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        CHECK(all[i] == 100 * global(!is_left, i) + rank);
    for (int i = 0; i < others; i++)
        counts[i] = i;
    MPI_Alltoallv(sent, ones, counts, MPI_INT, all, ones, places, MPI_INT, inter);
    for (int i = 0; i < others; i++)
        CHECK(all[2 * i] == 100 * global(!is_left, i) + rank);
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, inter);
    CHECK(sum == sum_of(!is_left, others));
    int *parts = malloc(size * others * sizeof(int)), *kept = malloc(others * sizeof(int));
    for (int i = 0; i < size * others; i++)
        parts[i] = own * (i + 1);
    MPI_Reduce_scatter_block(parts, kept, others, MPI_INT, MPI_SUM, inter);
    for (int i = 0; i < others; i++)
        CHECK(kept[i] == sum_of(!is_left, others) * (rank * others + i + 1));
    MPI_Ibarrier(inter, &requests[0]);
    MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_MAX, inter, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CHECK(sum == global(!is_left, others - 1) + 1);
    free(all), free(sent), free(parts), free(kept);
}

static void all_of(MPI_Comm inter)
{
    int flag, count;
    MPI_Comm_test_inter(inter, &flag);
    MPI_Comm_remote_size(inter, &count);
    CHECK(flag && count == others);
    MPI_Comm_size(inter, &count);
    CHECK(count == size);
    messages(inter);
    for (int left = 0; left < 2; left++)
        for (int place = 0; place < 2; place++)
            with_root(inter, left, place && (left ? ranks / 2 : ranks - ranks / 2) > 1, place);
    without_root(inter);
}

int main(int argc, char **argv)
{
    MPI_Comm half, inter, copy, all, part;
    MPI_Group group;
    int count, value, flag;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    is_left = world < ranks / 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_left, world, &half);
    MPI_Comm_rank(half, &rank);
    MPI_Comm_size(half, &size);
    others = ranks - size;
    MPI_Comm_test_inter(half, &flag);
    CHECK(!flag);
    MPI_Intercomm_create(half, size > 1, MPI_COMM_WORLD, is_left ? ranks / 2 + (others > 1) : others > 1, 99, &inter);
    all_of(inter);
    MPI_Comm_remote_group(inter, &group);
    MPI_Group_size(group, &count);
    CHECK(count == others);
    MPI_Group_free(&group);

    MPI_Comm_dup(inter, &copy);
    all_of(copy);
    MPI_Comm_compare(inter, copy, &value);
    CHECK(value == MPI_CONGRUENT);
    MPI_Comm_free(&copy);

    MPI_Intercomm_merge(inter, is_left, &all);
    MPI_Comm_rank(all, &value);
    CHECK(value == (is_left ? others + rank : rank));
    MPI_Allreduce(&world, &value, 1, MPI_INT, MPI_SUM, all);
    CHECK(value == ranks * (ranks - 1) / 2);
    MPI_Comm_free(&all);

    /* The first ranks of both groups, turned around, and the others. */
    MPI_Comm_split(inter, rank ? 1 : 0, -rank, &part);
    if (rank == 0) {
        MPI_Comm_remote_size(part, &count);
        CHECK(count == 1);
        MPI_Sendrecv(&world, 1, MPI_INT, 0, 0, &value, 1, MPI_INT, 0, 0, part, MPI_STATUS_IGNORE);
        CHECK(value == global(!is_left, 0));
    } else if (size > 1 && others > 1) {
        MPI_Comm_remote_size(part, &count);
        CHECK(count == others - 1);
        MPI_Allreduce(&world, &value, 1, MPI_INT, MPI_MIN, part);
        CHECK(value == global(!is_left, 1));
    } else
        CHECK(part == MPI_COMM_NULL);
    if (part != MPI_COMM_NULL)
        MPI_Comm_free(&part);

    int last = size - 1;
    MPI_Group own;
    MPI_Comm_group(inter, &own);
    MPI_Group_incl(own, 1, &last, &group);
    MPI_Comm_create(inter, group, &part);
    CHECK((part == MPI_COMM_NULL) == (rank < size - 1));
    if (part != MPI_COMM_NULL) {
        MPI_Allreduce(&world, &value, 1, MPI_INT, MPI_SUM, part);
        CHECK(value == global(!is_left, others - 1));
        MPI_Comm_free(&part);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&own);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

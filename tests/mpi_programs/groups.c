/* Groups of ranks, and communicators of them. */
#include "check.h"

static int compared(MPI_Group a, MPI_Group b)
{
    int result;
    MPI_Group_compare(a, b, &result);
    return result;
}

static int size_of(MPI_Group group)
{
    int size;
    MPI_Group_size(group, &size);
    return size;
}

int main(int argc, char **argv)
{
    int rank, size, own, result;
    MPI_Group all, even, odd, again, some, none;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    CHECK(size_of(all) == size);

    int evens[1][3] = {{0, size - 1, 2}};
    MPI_Group_range_incl(all, 1, evens, &even);
    MPI_Group_range_excl(all, 1, evens, &odd);
    CHECK(size_of(even) == (size + 1) / 2 && size_of(odd) == size / 2);
    MPI_Group_rank(even, &own);
    CHECK(own == (rank % 2 ? MPI_UNDEFINED : rank / 2));
    MPI_Group_union(even, odd, &again);
    CHECK(compared(all, again) == (size > 2 ? MPI_SIMILAR : MPI_IDENT) && compared(all, odd) == MPI_UNEQUAL);
    MPI_Group_free(&again);
    CHECK(again == MPI_GROUP_NULL);
    MPI_Group_difference(all, odd, &again);
    CHECK(compared(even, again) == MPI_IDENT);
    MPI_Group_intersection(even, odd, &none);
    CHECK(none == MPI_GROUP_EMPTY && size_of(none) == 0);

    int *ranks = malloc(size * sizeof *ranks), *translated = malloc(size * sizeof *translated);
    for (int i = 0; i < size; i++)
        ranks[i] = size - 1 - i;
    MPI_Group_incl(all, size, ranks, &some);
    MPI_Group_translate_ranks(some, size, ranks, all, translated);
    for (int i = 0; i < size; i++)
        CHECK(translated[i] == i);
    int two[2] = {0, MPI_PROC_NULL}, of_odd[2];
    MPI_Group_translate_ranks(even, 2, two, odd, of_odd);
    CHECK(of_odd[0] == MPI_UNDEFINED && of_odd[1] == MPI_PROC_NULL);
    MPI_Group_excl(all, 1, two, &none);
    CHECK(size_of(none) == size - 1);

    MPI_Comm turned, part;
    MPI_Comm_create(MPI_COMM_WORLD, some, &turned);
    MPI_Comm_rank(turned, &own);
    MPI_Comm_compare(MPI_COMM_WORLD, turned, &result);
    CHECK(own == size - 1 - rank && result == (size > 1 ? MPI_SIMILAR : MPI_CONGRUENT));
    MPI_Comm_create_group(MPI_COMM_WORLD, rank % 2 ? odd : even, 7, &part);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    for (int i = rank % 2; i < size; i += 2)
        sum -= i;
    CHECK(sum == 0);
    MPI_Comm_free(&turned);
    MPI_Comm_free(&part);
    if (rank == 0)
        printf("all data are right\n");
    free(ranks), free(translated);
    MPI_Finalize();
    return 0;
}

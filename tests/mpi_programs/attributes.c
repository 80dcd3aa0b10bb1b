/* Attributes of communicators and datatypes, whose functions see the objects and may call MPI. */
#include "check.h"

static int copies, deletions, last_deleted[8];

static int copy(MPI_Comm comm, int keyval, void *extra, void *value, void *result, int *flag)
{
    int size;
    MPI_Comm_size(comm, &size);
    CHECK(extra == &copies && size > 0 && keyval != MPI_KEYVAL_INVALID);
    copies++;
    *(void **)result = (char *)value + 1;
    return *flag = 1, MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int flag;
    void *still;
    if (extra != &copies)
        return MPI_ERR_OTHER;
    MPI_Comm_get_attr(comm, keyval, &still, &flag);
    CHECK(still == value);
    last_deleted[deletions++] = *(char *)value;
    return MPI_SUCCESS;
}

static int delete_last(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int is_finalized;
    MPI_Finalized(&is_finalized);
    CHECK(!is_finalized && comm == MPI_COMM_SELF);
    last_deleted[deletions++] = *(char *)value;
    return MPI_SUCCESS;
}

static int delete_of_type(MPI_Datatype type, int keyval, void *value, void *extra)
{
    return deletions++, MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static char data[] = "abcdefgh";
    int rank, key, dup_key, null_key, flag, *number;
    char *value;
    MPI_Comm one, two;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &number, &flag);
    CHECK(flag && *number >= 32767);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &number, &flag);
    CHECK(flag && *number >= MPI_ERR_LASTCODE);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_IO, &number, &flag);
    CHECK(flag && *number == MPI_ANY_SOURCE);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &number, &flag);
    CHECK(flag && (*number == 0 || *number == 1));

    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_create_keyval(copy, delete, &key, &copies);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &dup_key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &null_key, NULL);
    MPI_Comm_get_attr(one, key, &value, &flag);
    CHECK(!flag);
    MPI_Comm_set_attr(one, key, data);
    MPI_Comm_set_attr(one, dup_key, data + 2);
    MPI_Comm_set_attr(one, null_key, data + 3);
    MPI_Comm_dup(one, &two);
    MPI_Comm_get_attr(two, key, &value, &flag);
    CHECK(flag && value == data + 1 && copies == 1);
    MPI_Comm_get_attr(two, dup_key, &value, &flag);
    CHECK(flag && value == data + 2);
    MPI_Comm_get_attr(two, null_key, &value, &flag);
    CHECK(!flag);
    MPI_Comm_set_attr(two, key, data + 4);
    CHECK(deletions == 1 && last_deleted[0] == 'b');
    MPI_Comm_delete_attr(two, key);
    CHECK(deletions == 2 && last_deleted[1] == 'e');
    MPI_Comm_free(&two);
    CHECK(deletions == 2);
    int freed = key;
    MPI_Comm_free_keyval(&freed);
    CHECK(freed == MPI_KEYVAL_INVALID);
    MPI_Comm_free(&one);
    CHECK(deletions == 3 && last_deleted[2] == 'a');

    int type_key;
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, delete_of_type, &type_key, NULL);
    MPI_Type_set_attr(MPI_DOUBLE, type_key, data + 5);
    MPI_Type_get_attr(MPI_DOUBLE, type_key, &value, &flag);
    CHECK(flag && value == data + 5);
    MPI_Type_get_attr(MPI_INT, type_key, &value, &flag);
    CHECK(!flag);
    MPI_Type_delete_attr(MPI_DOUBLE, type_key);
    MPI_Type_get_attr(MPI_DOUBLE, type_key, &value, &flag);
    CHECK(!flag && deletions == 4);
    MPI_Type_free_keyval(&type_key);

    /* What is attached to MPI_COMM_SELF is deleted at the end, in reverse order. */
    for (int i = 0; i < 3; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_last, &key, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, key, data + i);
    }
    MPI_Finalize();
    if (deletions != 7 || memcmp(last_deleted + 4, (int[3]){'c', 'b', 'a'}, 3 * sizeof(int)))
        return printf("wrong deletions at the end\n"), 3;
    if (rank == 0)
        printf("all data are right\n");
    return 0;
}

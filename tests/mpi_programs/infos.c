/* Info objects, names of objects, and where a program runs. */
#include "check.h"

int main(int argc, char **argv)
{
    int count, flag, length, rank;
    char key[MPI_MAX_INFO_KEY], value[64], name[MPI_MAX_OBJECT_NAME];
    MPI_Info info, copy;
    MPI_Info_create(&info);
    MPI_Info_set(info, "first", "1");
    MPI_Info_set(info, "second", "a long value");
    MPI_Info_set(info, "first", "one");
    MPI_Info_get_nkeys(info, &count);
    if (count != 2)
        return printf("wrong number of keys before MPI_Init\n"), 3;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_get_nthkey(info, 1, key);
    CHECK(!strcmp(key, "second"));
    length = 5;
    MPI_Info_get_string(info, "second", &length, value, &flag);
    CHECK(flag && length == 13 && !strcmp(value, "a lo"));
    length = sizeof value;
    MPI_Info_get_string(info, "second", &length, value, &flag);
    CHECK(flag && !strcmp(value, "a long value"));
    MPI_Info_get_string(info, "third", &length, value, &flag);
    CHECK(!flag);
    MPI_Info_get(info, "second", 12, value, &flag);
    CHECK(flag && !strcmp(value, "a long value"));
    MPI_Info_get_valuelen(info, "first", &length, &flag);
    CHECK(flag && length == 3);
    MPI_Info_dup(info, &copy);
    MPI_Info_delete(info, "first");
    MPI_Info_get_nkeys(info, &count);
    CHECK(count == 1);
    MPI_Info_get_nkeys(copy, &count);
    CHECK(count == 2);
    MPI_Info_free(&copy);
    CHECK(copy == MPI_INFO_NULL);
    MPI_Info_free(&info);

    MPI_Comm comm;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    CHECK(!strcmp(name, "MPI_COMM_WORLD") && length == 14);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_get_name(comm, name, &length);
    CHECK(length == 0 && !name[0]);
    MPI_Comm_set_name(comm, "ours");
    MPI_Comm_get_name(comm, name, &length);
    CHECK(!strcmp(name, "ours") && length == 4);
    MPI_Comm_free(&comm);
    MPI_Type_get_name(MPI_DOUBLE, name, &length);
    CHECK(!strcmp(name, "MPI_DOUBLE"));
    MPI_Type_set_name(MPI_DOUBLE, "a number");
    MPI_Type_get_name(MPI_DOUBLE, name, &length);
    CHECK(!strcmp(name, "a number"));

    int version, subversion, level, is_main;
    char where[MPI_MAX_PROCESSOR_NAME], library[MPI_MAX_LIBRARY_VERSION_STRING];
    double *memory;
    MPI_Get_version(&version, &subversion);
    CHECK(version > MPI_VERSION || (version == MPI_VERSION && subversion >= MPI_SUBVERSION));
    MPI_Get_library_version(library, &length);
    CHECK(length == (int)strlen(library) && length > 0);
    MPI_Get_processor_name(where, &length);
    CHECK(length == (int)strlen(where) && length > 0);
    MPI_Query_thread(&level);
    MPI_Is_thread_main(&is_main);
    CHECK(level >= MPI_THREAD_SINGLE && is_main);
    MPI_Alloc_mem(1000 * sizeof *memory, MPI_INFO_NULL, &memory);
    memory[999] = 1;
    MPI_Free_mem(memory);
    MPI_Comm parent;
    MPI_Comm_get_parent(&parent);
    CHECK(parent == MPI_COMM_NULL);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

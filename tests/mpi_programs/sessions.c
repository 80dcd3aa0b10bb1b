/* Sessions, in a program that does not call MPI_Init. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            printf("line %d: wrong data: %s\n", __LINE__, #condition);                                                \
            exit(3);                                                                                                  \
        }                                                                                                             \
    } while (0)

static int calls;

static void handle(MPI_Session *session, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    CHECK(*session != MPI_SESSION_NULL);
    calls++;
}

int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Info info;
    MPI_Group group, own, half;
    MPI_Comm all, part;
    int flag, count, length, rank, size, value, is_world = 0;
    char name[MPI_MAX_PSET_NAME_LEN], text[32];
    for (int round = 0; round < 2; round++) {
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
        MPI_Initialized(&flag);
        CHECK(!flag);
        MPI_Session_get_num_psets(session, MPI_INFO_NULL, &count);
        for (int i = 0; i < count; i++) {
            length = 0;
            MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, NULL);
            CHECK(length > 1 && length <= MPI_MAX_PSET_NAME_LEN);
            MPI_Session_get_nth_pset(session, MPI_INFO_NULL, i, &length, name);
            CHECK((int)strlen(name) == length - 1);
            is_world += !strcmp(name, "mpi://WORLD");
        }
        CHECK(count >= 2 && is_world == round + 1);
        MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
        MPI_Group_size(group, &size);
        MPI_Group_rank(group, &rank);
        MPI_Session_get_pset_info(session, "mpi://WORLD", &info);
        length = sizeof text;
        MPI_Info_get_string(info, "mpi_size", &length, text, &flag);
        CHECK(flag && atoi(text) == size);
        MPI_Info_free(&info);
        MPI_Group_from_session_pset(session, "mpi://SELF", &own);
        MPI_Group_size(own, &count);
        CHECK(count == 1);

        MPI_Comm_create_from_group(group, "ours", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &all);
        MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, all);
        CHECK(value == size * (size - 1) / 2);
        int ranges[1][3] = {{rank % 2, size - 1 - (size - 1 - rank % 2) % 2, 2}};
        MPI_Group_range_incl(group, 1, ranges, &half);
        MPI_Comm_create_from_group(half, "half", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &part);
        MPI_Comm_rank(part, &value);
        CHECK(value == rank / 2);
        MPI_Group rest;
        MPI_Group_difference(group, half, &rest);
        if (size > 1) {
            MPI_Comm inter;
            MPI_Intercomm_create_from_groups(half, 0, rest, 0, "both", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &inter);
            MPI_Comm_remote_size(inter, &count);
            MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_MIN, inter);
            CHECK(value == 1 - rank % 2 && count == size - (size + 1 - rank % 2) / 2);
            MPI_Comm_free(&inter);
        }
        MPI_Errhandler handler;
        MPI_Session_create_errhandler(handle, &handler);
        MPI_Session_set_errhandler(session, handler);
        MPI_Errhandler_free(&handler);
        calls = 0;
        MPI_Session_call_errhandler(session, MPI_ERR_OTHER);
        CHECK(calls == 1);
        MPI_Comm_free(&part);
        MPI_Comm_free(&all);
        MPI_Group_free(&rest);
        MPI_Group_free(&half);
        MPI_Group_free(&own);
        MPI_Group_free(&group);
        MPI_Session_finalize(&session);
        CHECK(session == MPI_SESSION_NULL);
    }
    if (rank == 0)
        printf("all data are right\n");
    return 0;
}

/* Error handlers, codes and words. */
#include "check.h"

static int calls, last_code;
static MPI_Comm last_comm;

static void handle(MPI_Comm *comm, int *code, ...)
{
    int rank;
    calls++;
    last_comm = *comm;
    last_code = *code;
    MPI_Comm_rank(*comm, &rank);
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

int main(int argc, char **argv)
{
    int rank, size, code, class, length, value = 0;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Errhandler handler, found;
    MPI_Comm comm, copy;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    CHECK(found == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);

    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    code = MPI_Send(&value, 1, MPI_INT, size, 0, comm);
    CHECK(class_of(code) == MPI_ERR_RANK);
    MPI_Error_string(code, text, &length);
    CHECK(length == (int)strlen(text) && length > 10);
    CHECK(class_of(MPI_Send(&value, -1, MPI_INT, 0, 0, comm)) == MPI_ERR_COUNT);
    CHECK(class_of(MPI_Send(&value, 1, MPI_INT, 0, -7, comm)) == MPI_ERR_TAG);
    CHECK(class_of(MPI_Bcast(&value, 1, MPI_INT, size, comm)) == MPI_ERR_ROOT);

    /* A message that is too long, for a request on this communicator. */
    MPI_Request request;
    MPI_Status status;
    int two[2] = {1, 2};
    MPI_Irecv(&value, 1, MPI_INT, rank, 3, comm, &request);
    MPI_Send(two, 2, MPI_INT, rank, 3, comm);
    CHECK(class_of(MPI_Wait(&request, MPI_STATUS_IGNORE)) == MPI_ERR_TRUNCATE && request == MPI_REQUEST_NULL);
    MPI_Irecv(&value, 1, MPI_INT, rank, 3, comm, &request);
    MPI_Send(two, 2, MPI_INT, rank, 3, comm);
    CHECK(class_of(MPI_Waitall(1, &request, &status)) == MPI_ERR_IN_STATUS);
    CHECK(class_of(status.MPI_ERROR) == MPI_ERR_TRUNCATE);

    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Comm_get_errhandler(comm, &found);
    CHECK(found == handler);
    MPI_Errhandler_free(&found);
    MPI_Errhandler_free(&handler);
    CHECK(handler == MPI_ERRHANDLER_NULL);
    MPI_Send(&value, 1, MPI_INT, size, 0, comm);
    CHECK(calls == 1 && last_comm == comm && class_of(last_code) == MPI_ERR_RANK);
    MPI_Comm_dup(comm, &copy);
    MPI_Recv(&value, 1, MPI_INT, 0, -7, copy, MPI_STATUS_IGNORE);
    CHECK(calls == 2 && last_comm == copy && class_of(last_code) == MPI_ERR_TAG);
    CHECK(MPI_Comm_call_errhandler(copy, MPI_ERR_TOPOLOGY) == MPI_SUCCESS);
    CHECK(calls == 3 && class_of(last_code) == MPI_ERR_TOPOLOGY);

    /* What belongs to no communicator is decided by that of MPI_COMM_SELF. */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Group group = MPI_GROUP_NULL;
    CHECK(class_of(MPI_Group_size(group, &value)) == MPI_ERR_GROUP);
    CHECK(class_of(MPI_Comm_rank(MPI_COMM_NULL, &value)) == MPI_ERR_COMM);

    int *last, flag;
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    CHECK(class > MPI_ERR_LASTCODE && code > class && class_of(code) == class && class_of(class) == class);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag);
    CHECK(flag && *last == class);
    MPI_Add_error_string(code, "own words");
    MPI_Error_string(code, text, &length);
    CHECK(!strcmp(text, "own words") && length == 9);
    MPI_Error_string(class, text, &length);
    CHECK(length == 0);
    MPI_Comm_call_errhandler(copy, code);
    CHECK(calls == 4 && last_code == code);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

/* Calls with wrong arguments: arguments CASE makes one of them at rank 1, whose error handler ends the run. */
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD MPI_COMM_WORLD
#define CASE(name) else if (strcmp(argv[1], name) == 0)

int main(int argc, char **argv)
{
    int rank, size, value[8] = {0}, other[8] = {0}, negative[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int zeros[8] = {0}, far[8] = {0, 99, 0, 0, 0, 0, 0, 0}, position = 0;
    char text[64] = "";
    MPI_Aint places[8] = {0};
    MPI_Request request = MPI_REQUEST_NULL, copy;
    MPI_Status status;
    MPI_Datatype type;
    MPI_Comm comm, stale;
    MPI_Group group, part;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    if (rank != 1)
        goto barrier;
    if (argc < 2)
        return 80;
    CASE("send count") MPI_Send(value, -1, MPI_INT, 0, 0, WORLD);
    CASE("send to size") MPI_Send(value, 1, MPI_INT, size, 0, WORLD);
    CASE("send to nobody") MPI_Send(value, 1, MPI_INT, -77, 0, WORLD);
    CASE("send to any") MPI_Send(value, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD);
    CASE("send tag") MPI_Send(value, 1, MPI_INT, 0, -5, WORLD);
    CASE("send any tag") MPI_Send(value, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD);
    CASE("send no type") MPI_Send(value, 1, MPI_DATATYPE_NULL, 0, 0, WORLD);
    CASE("send type of zeros") MPI_Send(value, 1, (MPI_Datatype)0, 0, 0, WORLD);
    CASE("send type of noise") MPI_Send(value, 1, (MPI_Datatype)0x7eadbeef, 0, 0, WORLD);
    CASE("send uncommitted")
    {
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Send(value, 1, type, 0, 0, WORLD);
    }
    CASE("send freed type")
    {
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Datatype freed = type;
        MPI_Type_free(&type);
        MPI_Send(value, 1, freed, 0, 0, WORLD);
    }
    CASE("send no communicator") MPI_Send(value, 1, MPI_INT, 0, 0, MPI_COMM_NULL);
    CASE("send communicator of zeros") MPI_Send(value, 1, MPI_INT, 0, 0, (MPI_Comm)0);
    CASE("send communicator of noise") MPI_Send(value, 1, MPI_INT, 0, 0, (MPI_Comm)0x7eadbeef);
    CASE("send type as communicator") MPI_Send(value, 1, MPI_INT, 0, 0, (MPI_Comm)MPI_INT);
    CASE("send freed communicator")
    {
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        stale = comm;
        MPI_Comm_free(&comm);
        MPI_Send(value, 1, MPI_INT, 0, 0, stale);
    }
#if MPI_VERSION >= 4
    CASE("send a lot") MPI_Send_c(value, (MPI_Count)1 << 31, MPI_INT, 0, 0, WORLD);
    CASE("send more than addresses") MPI_Send_c(value, (MPI_Count)1 << 62, MPI_INT, 0, 0, WORLD);
    CASE("bcast a lot") MPI_Bcast_c(value, (MPI_Count)1 << 62, MPI_INT, 1, WORLD);
    CASE("scatter a lot to itself")
    MPI_Scatter_c(value, (MPI_Count)1 << 62, MPI_INT, value + 1, (MPI_Count)1 << 62, MPI_INT, 0, MPI_COMM_SELF);
    CASE("reduce a lot by itself")
    MPI_Reduce_c(value, value + 1, (MPI_Count)1 << 62, MPI_INT, MPI_SUM, 0, MPI_COMM_SELF);
#endif
    CASE("isend count") MPI_Isend(value, INT_MIN, MPI_INT, 0, 0, WORLD, &request);
    CASE("receive count") MPI_Recv(value, -1, MPI_INT, 0, 0, WORLD, &status);
    CASE("receive from size") MPI_Recv(value, 1, MPI_INT, size, 0, WORLD, &status);
    CASE("receive from nobody") MPI_Irecv(value, 1, MPI_INT, -77, 0, WORLD, &request);
    CASE("receive tag") MPI_Recv(value, 1, MPI_INT, 0, -77, WORLD, &status);
    CASE("probe from size") MPI_Probe(size, 0, WORLD, &status);
    CASE("sendrecv count")
    MPI_Sendrecv(value, -1, MPI_INT, 0, 0, other, 1, MPI_INT, 0, 0, WORLD, &status);
    CASE("wait for stale")
    {
        MPI_Isend(value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        copy = request;
        MPI_Recv(other, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &status);
        MPI_Wait(&request, &status);
        MPI_Wait(&copy, &status);
    }
    CASE("wait for noise")
    {
        request = (MPI_Request)0x7eadbeef;
        MPI_Wait(&request, &status);
    }
    CASE("wait for zeros")
    {
        request = (MPI_Request)0;
        MPI_Wait(&request, &status);
    }
    CASE("wait for negative") MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE);
    CASE("wait for one twice")
    {
        MPI_Irecv(value, 1, MPI_INT, 1, 0, WORLD, &request);
        MPI_Request twice[2] = {request, request};
        MPI_Waitall(2, twice, MPI_STATUSES_IGNORE);
    }
    CASE("start one twice in a list")
    {
        MPI_Recv_init(value, 1, MPI_INT, 0, 0, WORLD, &request);
        MPI_Request twice[2] = {request, request};
        MPI_Startall(2, twice);
    }
    CASE("start negative") MPI_Startall(-1, &request);
    CASE("start none") MPI_Start(&request);
    CASE("start what is not persistent")
    {
        MPI_Irecv(value, 1, MPI_INT, 0, 0, WORLD, &request);
        MPI_Start(&request);
    }
    CASE("start twice")
    {
        MPI_Recv_init(value, 1, MPI_INT, 0, 0, WORLD, &request);
        MPI_Start(&request);
        MPI_Start(&request);
    }
    CASE("free no request") MPI_Request_free(&request);
    CASE("cancel none") MPI_Cancel(&request);
    CASE("bcast from size") MPI_Bcast(value, 1, MPI_INT, size, WORLD);
    CASE("bcast from nobody") MPI_Bcast(value, 1, MPI_INT, -1, WORLD);
    CASE("bcast count") MPI_Bcast(value, -1, MPI_INT, 0, WORLD);
    CASE("reduce without operation") MPI_Reduce(value, other, 1, MPI_INT, MPI_OP_NULL, 0, WORLD);
    CASE("reduce operation of noise") MPI_Reduce(value, other, 1, MPI_INT, (MPI_Op)0x7eadbeef, 0, WORLD);
    CASE("reduce bits of doubles") MPI_Allreduce(value, other, 1, MPI_DOUBLE, MPI_BAND, WORLD);
    CASE("gatherv counts") MPI_Gatherv(value, 0, MPI_INT, other, negative, zeros, MPI_INT, 1, WORLD);
    CASE("alltoallv counts")
    MPI_Alltoallv(value, negative, zeros, MPI_INT, other, zeros, zeros, MPI_INT, WORLD);
    CASE("reduce_scatter counts") MPI_Reduce_scatter(value, other, negative, MPI_INT, MPI_SUM, WORLD);
    CASE("split color") MPI_Comm_split(WORLD, -7, 0, &comm);
    CASE("free the world")
    {
        comm = MPI_COMM_WORLD;
        MPI_Comm_free(&comm);
    }
    CASE("free no communicator")
    {
        comm = MPI_COMM_NULL;
        MPI_Comm_free(&comm);
    }
    CASE("free a predefined type")
    {
        type = MPI_INT;
        MPI_Type_free(&type);
    }
    CASE("free a predefined operation")
    {
        op = MPI_SUM;
        MPI_Op_free(&op);
    }
    CASE("contiguous count") MPI_Type_contiguous(-1, MPI_INT, &type);
    CASE("contiguous of nothing") MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type);
    CASE("vector count") MPI_Type_vector(-1, 1, 1, MPI_INT, &type);
    CASE("vector length") MPI_Type_vector(1, -1, 1, MPI_INT, &type);
    CASE("indexed lengths") MPI_Type_indexed(2, negative, zeros, MPI_INT, &type);
    CASE("struct types")
    {
        MPI_Datatype types[2] = {MPI_INT, MPI_DATATYPE_NULL};
        MPI_Type_create_struct(2, zeros, places, types, &type);
    }
    CASE("pack beyond the end") MPI_Pack(value, 8, MPI_INT, text, 4, &position, WORLD);
    CASE("unpack beyond the end") MPI_Unpack(text, 4, &position, value, 8, MPI_INT, WORLD);
    CASE("include a rank that is none")
    {
        MPI_Comm_group(WORLD, &group);
        MPI_Group_incl(group, 2, far, &part);
    }
    CASE("include a rank twice")
    {
        MPI_Comm_group(WORLD, &group);
        MPI_Group_incl(group, 2, zeros, &part);
    }
    CASE("free no group")
    {
        group = MPI_GROUP_NULL;
        MPI_Group_free(&group);
    }
    CASE("grid too large")
    {
        int lengths[2] = {99, 99};
        MPI_Cart_create(WORLD, 2, lengths, zeros, 0, &comm);
    }
    CASE("grid of negative")
    {
        MPI_Cart_create(WORLD, 2, negative, zeros, 0, &comm);
    }
    CASE("dimensions that do not divide")
    {
        int lengths[2] = {size + 1, 0};
        MPI_Dims_create(size, 2, lengths);
    }
    CASE("coordinates of no grid") MPI_Cart_coords(WORLD, 0, 2, value);
    CASE("bsend without buffer") MPI_Bsend(value, 8, MPI_INT, 0, 0, WORLD);
    CASE("handler of noise") MPI_Comm_set_errhandler(WORLD, (MPI_Errhandler)0x7eadbeef);
    CASE("key that is none") MPI_Comm_set_attr(WORLD, 123456, value);
    CASE("info of noise") MPI_Info_set((MPI_Info)0x7eadbeef, "key", "value");
    CASE("mrecv without message")
    {
        MPI_Message message = MPI_MESSAGE_NULL;
        MPI_Mrecv(value, 1, MPI_INT, &message, &status);
    }
    else
    {
        printf("no case %s\n", argv[1]);
        return 81;
    }
    printf("the call has returned\n");
barrier:
    MPI_Barrier(WORLD);
    MPI_Finalize();
    return 0;
}

/* Packed data of several datatypes, and data in the external representation. */
#include "check.h"

static int rank, ranks;

/* A list with its length, packed with a vector, in a ring of ranks. */
static void packed(void)
{
    int length = rank % 4 + 1, size, position = 0, end, number, from = (rank + ranks - 1) % ranks;
    double list[4] = {rank, 1.5, 2.5, 3.5}, matrix[3][3], column[3];
    char *buffer, *received;
    MPI_Datatype type;
    MPI_Status status;
    for (int i = 0; i < 9; i++)
        matrix[i / 3][i % 3] = 10 * rank + i;
    MPI_Type_vector(3, 1, 3, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Pack_size(1, MPI_INT, MPI_COMM_WORLD, &size);
    CHECK(size >= 4);
    buffer = malloc(1000);
    received = malloc(1000);
    MPI_Pack(&length, 1, MPI_INT, buffer, 1000, &position, MPI_COMM_WORLD);
    MPI_Pack(list, length, MPI_DOUBLE, buffer, 1000, &position, MPI_COMM_WORLD);
    MPI_Pack(&matrix[0][1], 1, type, buffer, 1000, &position, MPI_COMM_WORLD);
    MPI_Sendrecv(buffer, position, MPI_PACKED, (rank + 1) % ranks, 1, received, 1000, MPI_PACKED, from, 1,
                 MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_PACKED, &end);
    position = 0;
    MPI_Unpack(received, end, &position, &number, 1, MPI_INT, MPI_COMM_WORLD);
    CHECK(number == from % 4 + 1);
    memset(list, 0, sizeof list);
    MPI_Unpack(received, end, &position, list, number, MPI_DOUBLE, MPI_COMM_WORLD);
    CHECK(list[0] == from && list[number - 1] == (number == 1 ? from : number - 0.5));
    MPI_Unpack(received, end, &position, column, 3, MPI_DOUBLE, MPI_COMM_WORLD);
    CHECK(position == end && column[0] == 10 * from + 1 && column[2] == 10 * from + 7);
#if MPI_VERSION >= 4
    double back[3];
    MPI_Count large = 0;
    MPI_Pack_c(column, 3, MPI_DOUBLE, buffer, 24, &large, MPI_COMM_WORLD);
    CHECK(large == 24);
    large = 8;
    MPI_Unpack_c(buffer, 24, &large, back, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    CHECK(large == 24 && back[0] == column[1] && back[1] == column[2]);
#endif
    MPI_Type_free(&type);
    free(buffer);
    free(received);
}

static void external(void)
{
    struct {
        short one;
        long two;
        double three;
    } own = {0x102, -2, 1}, back = {0, 0, 0};
    MPI_Aint places[] = {(char *)&own.one - (char *)&own, (char *)&own.two - (char *)&own,
                         (char *)&own.three - (char *)&own},
             size, position = 0;
    MPI_Datatype type;
    /* A long integer has 4 bytes, and the highest byte is the first. */
    unsigned char buffer[64], expected[14] = {1, 2, 255, 255, 255, 254, 0x3f, 0xf0};
    MPI_Type_create_struct(3, (int[]){1, 1, 1}, places, (MPI_Datatype[]){MPI_SHORT, MPI_LONG, MPI_DOUBLE}, &type);
    MPI_Type_commit(&type);
    MPI_Pack_external_size("external32", 2, type, &size);
    CHECK(size == 28);
    MPI_Pack_external("external32", &own, 1, type, buffer, sizeof buffer, &position);
    CHECK(position == 14 && memcmp(buffer, expected, 14) == 0);
    position = 0;
    MPI_Unpack_external("external32", buffer, 14, &position, &back, 1, type);
    CHECK(position == 14 && back.one == own.one && back.two == own.two && back.three == own.three);
    MPI_Type_free(&type);
    long double wide = 1.0L / 3, again;
    position = 0;
    MPI_Pack_external("external32", &wide, 1, MPI_LONG_DOUBLE, buffer, sizeof buffer, &position);
    CHECK(position == 16 && buffer[0] == 0x3f && buffer[1] == 0xfd && buffer[2] == 0x55);
    position = 0;
    MPI_Unpack_external("external32", buffer, 16, &position, &again, 1, MPI_LONG_DOUBLE);
    CHECK(again == wide);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    packed();
    external();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

/* Makes datatypes as a file says, checks their bounds, and sends data with them around the ring of all ranks.
 *
 * A line is a word and numbers. Datatypes are on a stack: a constructor takes its own from there, and puts a new one. */
#include "check.h"

#define MOST 64
#define BYTES (1 << 20)

static MPI_Datatype stack[MOST];
static int top, rank, ranks, numbers[3 * MOST];

static int is(const char *word, const char *name) { return strcmp(word, name) == 0; }

static void read_numbers(FILE *file, int count)
{
    CHECK(count <= 3 * MOST);
    for (int i = 0; i < count; i++)
        CHECK(fscanf(file, "%d", &numbers[i]) == 1);
}

static MPI_Aint *wide(const int *from, int count)
{
    static MPI_Aint places[MOST];
    for (int i = 0; i < count; i++)
        places[i] = from[i];
    return places;
}

/* Puts the datatype of a line; its list has a length, and the numbers of its parts. */
static void make(FILE *file, const char *word)
{
    MPI_Datatype made, *last = &stack[top - 1];
    int taken = 1, count;
    if (is(word, "basic")) {
        MPI_Datatype basics[] = {MPI_BYTE, MPI_SHORT, MPI_INT, MPI_DOUBLE, MPI_C_DOUBLE_COMPLEX};
        read_numbers(file, 1);
        MPI_Type_dup(basics[numbers[0]], &made);
        taken = 0;
    } else if (is(word, "contiguous")) {
        read_numbers(file, 1);
        MPI_Type_contiguous(numbers[0], *last, &made);
    } else if (is(word, "vector")) {
        read_numbers(file, 3);
        MPI_Type_vector(numbers[0], numbers[1], numbers[2], *last, &made);
    } else if (is(word, "hvector")) {
        read_numbers(file, 3);
        MPI_Type_create_hvector(numbers[0], numbers[1], numbers[2], *last, &made);
    } else if (is(word, "resized")) {
        read_numbers(file, 2);
        MPI_Type_create_resized(*last, numbers[0], numbers[1], &made);
    } else {
        CHECK(fscanf(file, "%d", &count) == 1);
        read_numbers(file, is(word, "subarray") ? 3 * count + 1 : 2 * count);
        int *lengths = numbers, *places = numbers + count;
        if (is(word, "indexed")) {
            MPI_Type_indexed(count, lengths, places, *last, &made);
        } else if (is(word, "hindexed")) {
            MPI_Type_create_hindexed(count, lengths, wide(places, count), *last, &made);
        } else if (is(word, "subarray")) {
            int order = numbers[3 * count] ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
            MPI_Type_create_subarray(count, numbers, places, places + count, order, *last, &made);
        } else {
            CHECK(is(word, "struct") && count <= top);
            taken = count;
            MPI_Type_create_struct(count, lengths, wide(places, count), &stack[top - count], &made);
        }
    }
    while (taken--)
        MPI_Type_free(&stack[--top]);
    CHECK(top < MOST);
    stack[top++] = made;
}

/* Sends as many copies as a line says of a datatype with these size, lower bound and extent. */
static void use(FILE *file, int tag)
{
    static char sent[BYTES], received[BYTES], expected[BYTES], packed[BYTES];
    int size, position = 0, from = (rank + ranks - 1) % ranks;
    MPI_Aint lb, extent;
    MPI_Datatype type = stack[--top];
    read_numbers(file, 4);
    MPI_Type_commit(&type);
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    CHECK(size == numbers[1] && lb == numbers[2] && extent == numbers[3]);
    memset(expected, 0, BYTES);
    memset(received, 0, BYTES);
    for (int i = 0; i < BYTES; i++)
        sent[i] = (char)(i * 7 + i / 251 + from);
    MPI_Pack(sent, numbers[0], type, packed, BYTES, &position, MPI_COMM_WORLD);
    CHECK(position == numbers[0] * size);
    position = 0;
    MPI_Unpack(packed, BYTES, &position, expected, numbers[0], type, MPI_COMM_WORLD);
    for (int i = 0; i < BYTES; i++)
        sent[i] += (char)(rank - from);
    MPI_Sendrecv(sent, numbers[0], type, (rank + 1) % ranks, tag, received, numbers[0], type, from, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(memcmp(received, expected, BYTES) == 0);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    char word[16];
    int uses = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    FILE *file = fopen(argv[1], "r");
    CHECK(file);
    while (fscanf(file, "%15s", word) == 1)
        if (is(word, "use"))
            use(file, uses++);
        else
            make(file, word);
    fclose(file);
    if (rank == 0)
        printf("all data are right\n");
    MPI_Finalize();
    return 0;
}

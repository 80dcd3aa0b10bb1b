/* How ranks can end, or hang: ends CASE [NUMBER]. Rank 1 does what the case says, and the others wait for it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rank, size, status_at_end;
static char **words;

static void kill_oneself(long signal_number)
{
    volatile int zero = 0, *nowhere = NULL;
    if (signal_number == SIGSEGV)
        *nowhere = 1;
    else if (signal_number == SIGFPE)
        zero = 7 / zero; // compilers turn 1 / x into a comparison
    else if (signal_number == SIGABRT)
        abort();
    else
        raise(signal_number);
}

static void exit_with(long status)
{
    exit(status);
}

static void exit_at_once(long status)
{
    _exit(status);
}

/* The message is long, so that its end waits for the receiver. */
static void send_and_exit(long doubles)
{
    double *data = calloc(doubles, sizeof *data);
    MPI_Send(data, doubles, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
    exit(0);
}

static void isend_and_exit(long doubles)
{
    double *data = calloc(doubles, sizeof *data);
    MPI_Request request;
    MPI_Isend(data, doubles, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, &request);
    exit(0);
}

static void abort_mpi(long code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}

static void loop(long unused)
{
    for (volatile int i = 0;; i++)
        ;
}

static void finalize_and_loop(long unused)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    loop(0);
}

static void finalize_and_kill_oneself(long signal_number)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    kill_oneself(signal_number);
}

static void end_with(long status)
{
    status_at_end = status;
}

static void wait_for_nothing(long unused)
{
    MPI_Recv(NULL, 0, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void finalize_twice(long unused)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}

static void call_after_finalize(long unused)
{
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Barrier(MPI_COMM_WORLD);
}

static void init_twice(long unused)
{
    MPI_Init(NULL, NULL);
}

static void close_all(long unused)
{
    for (int descriptor = 0; descriptor < 4096; descriptor++)
        close(descriptor);
}

static void truncate_all(long unused)
{
    for (int descriptor = 3; descriptor < 4096; descriptor++)
        if (ftruncate(descriptor, 0) == 0)
            printf("truncated\n");
}

static void print_megabytes(long megabytes)
{
    static char line[1024];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\n';
    for (long i = 0; i < 1024 * megabytes; i++)
        fwrite(line, 1, sizeof line, stdout);
    fflush(stdout);
}

static void call_in_child(long unused)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        _exit(0);
    }
    waitpid(child, &status, 0);
    printf("the child has ended with status %d\n", WEXITSTATUS(status));
}

/* The child is another program of MPI, or the same once more. */
static void start_in_child(long unused)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", words[0], "nothing", NULL);
        _exit(77);
    }
    waitpid(child, &status, 0);
    printf("the child has ended with status %d\n", WEXITSTATUS(status));
}

static void leave_child(long unused)
{
    if (fork() == 0)
        for (;;)
            pause();
}

/* A process without parent, session and group of the ranks. */
static void leave_orphan(long unused)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    wait(NULL);
}

static void leave_group(long unused)
{
    if (setsid() < 0)
        setpgid(0, 0);
}

static void leave_group_and_loop(long unused)
{
    leave_group(0);
    loop(0);
}

/* Writes to the shared memory: numbers without meaning to a part of it. */
static void overwrite(long part)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned char *first = NULL, *end = NULL;
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:torusim")) {
            first = (unsigned char *)strtoull(line, NULL, 16);
            end = (unsigned char *)strtoull(strchr(line, '-') + 1, NULL, 16);
        }
    if (!first || end - first < 1 << 20)
        exit(78);
    /* 4 KiB with the header, slots and batches, then blocks of ranks and of the simulator. */
    long begins[] = {0, 8, 4096, 4096, 8192, 8192, 65536, 0};
    long lengths[] = {4096, 64, 1024, 4096, 65536, 4 << 20, 4 << 20, 64 << 20};
    long begin = begins[part % 8], length = lengths[part % 8];
    uint32_t state = part;
    for (long i = begin; i < begin + length && first + i < end; i++) {
        state = state * 1664525u + 1013904223u;
        first[i] = part < 8 ? 255 : part < 16 ? 0 : part < 24 ? 1 : state >> 24;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Sendrecv_replace(&state, 1, MPI_INT, rank ^ 1, 0, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static long in_operation;

static void operate(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    if (in_operation == 0)
        kill_oneself(SIGSEGV);
    if (in_operation == 1)
        exit(4);
    if (in_operation == 2)
        MPI_Abort(MPI_COMM_WORLD, 6);
    if (in_operation == 3)
        MPI_Barrier(MPI_COMM_NULL);
    if (in_operation == 4)
        loop(0);
}

static void fail_in_operation(long how)
{
    MPI_Op op;
    int value = 1, sum;
    in_operation = how;
    MPI_Op_create(operate, 0, &op);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
}

static void print_environment(long unused)
{
    extern char **environ;
    for (char **variable = environ; *variable; variable++)
        puts(*variable);
}

static void nothing(long unused)
{
}

static void *sleep_for_ever(void *unused)
{
    for (;;)
        pause();
    return NULL;
}

static void spin(double seconds)
{
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    while (clock() < end)
        ;
}

static void *receive(void *unused)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

/* The call of one thread has not ended when another thread makes one. Rank 0 keeps both waiting. */
static void call_in_two_threads(long unused)
{
    if (rank == 1) {
        pthread_t thread;
        pthread_create(&thread, NULL, receive, NULL);
    }
    if (rank < 2)
        spin(rank == 0 ? 1 : 0.1);
}

static struct {
    const char *name;
    void (*act)(long);
    int is_of_all;
} cases[] = {
    {"kill", kill_oneself, 0},
    {"exit", exit_with, 0},
    {"exit of all", exit_with, 1},
    {"_exit", exit_at_once, 0},
    {"send and exit", send_and_exit, 0},
    {"isend and exit", isend_and_exit, 0},
    {"abort", abort_mpi, 0},
    {"abort of all", abort_mpi, 1},
    {"loop", loop, 0},
    {"finalize and loop", finalize_and_loop, 1},
    {"finalize and kill", finalize_and_kill_oneself, 1},
    {"stop", kill_oneself, 0},
    {"end", end_with, 0},
    {"wait for nothing", wait_for_nothing, 0},
    {"finalize twice", finalize_twice, 1},
    {"call after finalize", call_after_finalize, 1},
    {"init twice", init_twice, 0},
    {"close", close_all, 1},
    {"truncate", truncate_all, 1},
    {"print", print_megabytes, 0},
    {"print of all", print_megabytes, 1},
    {"call in child", call_in_child, 0},
    {"start in child", start_in_child, 0},
    {"leave child", leave_child, 1},
    {"leave orphan", leave_orphan, 1},
    {"leave group", leave_group, 1},
    {"leave group and loop", leave_group_and_loop, 1},
    {"overwrite", overwrite, 0},
    {"overwrite of all", overwrite, 1},
    {"operation", fail_in_operation, 1},
    {"environment", print_environment, 0},
    {"two threads", call_in_two_threads, 1},
    {"nothing", nothing, 1},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    long number = argc > 2 ? atol(argv[2]) : 0;
    words = argv;
    if (strcmp(name, "no init") == 0)
        exit(number);
    if (strcmp(name, "loop before init") == 0)
        loop(0);
    if (strcmp(name, "kill before init") == 0)
        kill_oneself(number);
    if (strcmp(name, "call before init") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(name, "thread") == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, sleep_for_ever, NULL);
        name = "nothing";
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (strcmp(cases[i].name, name) == 0) {
            if (rank == 1 || cases[i].is_of_all)
                cases[i].act(number);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Finalize();
            return status_at_end;
        }
    printf("no case %s\n", name);
    MPI_Finalize();
    return 79;
}

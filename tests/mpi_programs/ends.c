/* How ranks can end, or hang: ends CASE [NUMBER]. Rank 1 does what the case says, and the others wait for it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
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

static void exit_with_signal(int number)
{
    exit(number);
}

/* It runs while the timer of the program would have ended the process that has forked the ranks. */
static void compute_for_a_while(long unused)
{
    for (clock_t begin = clock(); clock() - begin < CLOCKS_PER_SEC / 4;)
        ;
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

static unsigned char *first, *end;

/* Finds the shared memory. */
static void find_memory(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:torusim")) {
            first = (unsigned char *)strtoull(line, NULL, 16);
            end = (unsigned char *)strtoull(strchr(line, '-') + 1, NULL, 16);
        }
    fclose(maps);
    if (!first || end - first < 1 << 20)
        exit(78);
}

/* Overwrites all variables that the process has begun with: they stand behind its arguments. */
static void overwrite_variables(void)
{
    static char buffer[1 << 20];
    FILE *file = fopen("/proc/self/environ", "r");
    size_t length = fread(buffer, 1, sizeof buffer, file);
    char **last = words;
    fclose(file);
    while (last[1])
        last++;
    memset(*last + strlen(*last) + 1, 'x', length);
}

/* An orphan that cannot be known by its variables, nor by the memory that it has mapped if `unmaps` is not 0. */
static void leave_orphan_without_variables(long unmaps)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            overwrite_variables();
            if (unmaps) {
                find_memory();
                munmap(first, end - first);
            }
            for (;;)
                pause();
        }
        _exit(0);
    }
    wait(NULL);
    usleep(10000);
}

/* Orphans that start the next one and end, one after the other. */
static void leave_chain(long unused)
{
    if (fork() == 0) {
        setsid();
        for (;;) {
            if (fork() != 0)
                _exit(0);
            usleep(100);
        }
    }
    wait(NULL);
}

/* An orphan whose output never ends. */
static void leave_orphan_that_prints(long unused)
{
    static const char text[] = "text\n";
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                if (write(1, text, sizeof text - 1) < 0)
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

/* A word of this rank's slot, by its place in it. */
static volatile uint32_t *word_of_slot(int byte)
{
    return (uint32_t *)(first + 4096 + 320 * rank + byte);
}

static void hand_over_nothing(long unused)
{
    find_memory();
    for (;;)
        *word_of_slot(0) = 0;
}

/* It hands over again and again a record that waits for earlier calls. */
static void hand_over_no_call(long unused)
{
    find_memory();
    volatile uint64_t *batch = (uint64_t *)(first + 4096 + 320 * size + 16448 * rank);
    for (;;) {
        *batch = 21;
        *word_of_slot(4) = 1;
        __sync_synchronize();
        *word_of_slot(0) = 0;
        while (*word_of_slot(0) == 0)
            ;
    }
}

/* It says that another process is the rank. */
static void be_another_process(long process)
{
    find_memory();
    *word_of_slot(8) = process;
}

/* Messages between two ranks: the simulator moves their processes to its own processor. */
static void exchange(long process)
{
    if (rank == 1)
        be_another_process(process);
    for (int i = 0; i < 100 && rank < 2; i++)
        MPI_Sendrecv_replace(&i, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Writes to the shared memory: numbers without meaning to a part of it. */
static void overwrite(long part)
{
    find_memory();
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

/* Rank 1 waits until rank 0 has computed for a while. */
static void wait_for_another(void)
{
    int data = 0;
    if (rank == 1)
        MPI_Recv(&data, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        compute_for_a_while(0);
        MPI_Send(&data, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    }
}

static void call_of_signal(int unused)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* The signal comes while a call waits. */
static void call_in_handler(long unused)
{
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    signal(SIGALRM, call_of_signal);
    if (rank == 1)
        setitimer(ITIMER_REAL, &timer, NULL);
    wait_for_another();
}

static void *call_later(void *unused)
{
    usleep(10000);
    MPI_Barrier(MPI_COMM_WORLD);
    return NULL;
}

static void call_in_thread(long unused)
{
    pthread_t thread;
    if (rank == 1)
        pthread_create(&thread, NULL, call_later, NULL);
    wait_for_another();
}

static jmp_buf back;

static void jump(int unused)
{
    longjmp(back, 1);
}

/* The signal ends a call that waits, whose changes are half done. */
static void jump_out_of_call(long unused)
{
    signal(SIGALRM, jump);
    if (rank == 1 && setjmp(back) == 0)
        ualarm(10000, 0);
    else if (rank == 1)
        return;
    wait_for_another();
}

static void read_clock(int unused)
{
    MPI_Wtime();
}

/* A clock may be read at any time. */
static void read_clock_in_handler(long unused)
{
    struct itimerval timer = {{0, 100}, {0, 100}};
    signal(SIGALRM, read_clock);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int i = 0; i < 2000; i++)
        MPI_Sendrecv_replace(&i, 1, MPI_INT, 1, 0, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    timer = (struct itimerval){{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void print_environment(long unused)
{
    extern char **environ;
    for (char **variable = environ; *variable; variable++)
        puts(*variable);
}

/* A call that fails leaves the library in order. */
static void go_on_after_error(long unused)
{
    int value = rank, other = -1;
    MPI_Request requests[2];
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (!MPI_Iallreduce_c(&value, &other, (MPI_Count)1 << 31, MPI_INT, MPI_SUM, MPI_COMM_SELF, &requests[0]))
        exit(77);
    MPI_Irecv(&other, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    if (other != rank)
        exit(78);
}

/* It is killed in a call that does not end, while another rank computes. */
static void be_killed_while_waiting(long unused)
{
    int data;
    if (rank == 0)
        compute_for_a_while(0);
    if (rank == 1)
        ualarm(10000, 0);
    if (rank == 1)
        MPI_Recv(&data, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
    {"compute", compute_for_a_while, 1},
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
    {"leave orphan without variables", leave_orphan_without_variables, 1},
    {"leave chain", leave_chain, 1},
    {"leave orphan that prints", leave_orphan_that_prints, 1},
    {"leave group", leave_group, 1},
    {"leave group and loop", leave_group_and_loop, 1},
    {"hand over nothing", hand_over_nothing, 0},
    {"hand over no call", hand_over_no_call, 0},
    {"exchange", exchange, 1},
    {"overwrite", overwrite, 0},
    {"overwrite of all", overwrite, 1},
    {"operation", fail_in_operation, 1},
    {"call in handler", call_in_handler, 1},
    {"call in thread", call_in_thread, 1},
    {"jump out of call", jump_out_of_call, 1},
    {"read clock in handler", read_clock_in_handler, 0},
    {"environment", print_environment, 0},
    {"go on after error", go_on_after_error, 1},
    {"killed while waiting", be_killed_while_waiting, 1},
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
    if (strcmp(name, "ignore children") == 0) {
        signal(SIGCHLD, SIG_IGN);
        name = "kill";
    }
    if (strcmp(name, "timer") == 0) {
        signal(SIGALRM, exit_with_signal);
        ualarm(100000, 100000);
        name = "compute";
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

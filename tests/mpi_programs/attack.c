/* Correct traffic, in which one rank misbehaves: attack KIND SEED. All that happens follows from the seed, as far as the
 * host lets it: which traffic, at which step which rank does what. KIND is "deed", "memory" or "calls", or
 * "endless" for traffic that nobody disturbs, and that does not end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 40, MOST = 64, BYTES = 1 << 16 };

static int rank, size, has_begun;
static char sleeping[64];
static uint64_t common, own; // states of random numbers: of all ranks, and of this one

static uint64_t draw(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int below(int bound)
{
    return (int)(draw(&own) % (uint64_t)bound);
}

/* Correct traffic. */

static MPI_Comm part;
static char sent[BYTES], received[16 * BYTES];

static void add(void *in, void *inout, int *length, MPI_Datatype *datatype)
{
    for (int i = 0; i < *length; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void ring(int bytes, MPI_Comm comm)
{
    MPI_Request requests[2];
    int of_comm, here;
    MPI_Comm_size(comm, &of_comm);
    MPI_Comm_rank(comm, &here);
    MPI_Irecv(received, bytes, MPI_BYTE, (here + of_comm - 1) % of_comm, 1, comm, &requests[0]);
    MPI_Isend(sent, bytes, MPI_BYTE, (here + 1) % of_comm, 1, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void step_of_traffic(void)
{
    int how = draw(&common) % 12, bytes = 1 << draw(&common) % 13, root = draw(&common) % size, flag = 0;
    MPI_Comm comm = draw(&common) % 3 ? MPI_COMM_WORLD : part, copy;
    MPI_Request request;
    MPI_Op op;
    switch (how) {
    case 0:
        MPI_Barrier(comm);
        break;
    case 1:
        MPI_Bcast(received, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
        break;
    case 2:
        MPI_Allreduce(sent, received, bytes / 4, MPI_INT, MPI_SUM, comm);
        break;
    case 3:
        MPI_Op_create(add, 1, &op);
        MPI_Allreduce(sent, received, bytes / 4, MPI_INT, op, comm);
        MPI_Op_free(&op);
        break;
    case 4:
        MPI_Alltoall(sent, bytes / 64, MPI_BYTE, received, bytes / 64, MPI_BYTE, comm);
        break;
    case 5:
        MPI_Gather(sent, bytes, MPI_BYTE, received, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
        break;
    case 6:
        MPI_Comm_dup(comm, &copy);
        ring(bytes, copy);
        MPI_Comm_free(&copy);
        break;
    case 7:
        MPI_Ibarrier(comm, &request);
        for (int i = 0; i < 1000 && !flag; i++)
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 8:
        MPI_Allgather(sent, bytes / 16, MPI_BYTE, received, bytes / 16, MPI_BYTE, comm);
        break;
    case 9:
        MPI_Scan(sent, received, bytes / 4, MPI_INT, MPI_MAX, comm);
        break;
    default:
        ring(bytes, comm);
    }
}

/* The shared memory. */

static unsigned char *memory;
static size_t length;

static void find_memory(void)
{
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (strstr(line, "memfd:torusim")) {
            memory = (unsigned char *)strtoull(line, NULL, 16);
            length = strtoull(strchr(line, '-') + 1, NULL, 16) - (size_t)memory;
        }
    if (maps)
        fclose(maps);
}

/* A place in the memory: its header, slots and batches, blocks of ranks, and any other. */
static size_t place(void)
{
    size_t slots = 4096, batches = slots + 320 * size, near = (batches + 16448 * size + 4095) / 4096 * 4096;
    size_t far = (near + 65536 * (size + 1) + (2 << 20) - 1) / (2 << 20) * (2 << 20);
    int of = below(4) ? rank : below(size + 1);
    switch (below(9)) {
    case 0:
        return below(96);
    case 1:
    case 2:
        return slots + 320 * (of % size) + below(320);
    case 3:
    case 4:
        return batches + 16448 * (of % size) + below(below(4) ? 256 : 16448);
    case 5:
    case 6:
        return near + 65536 * of + below(below(2) ? 4096 : 65536);
    case 7:
        return far + (length - far) / (size + 1) * of + below(below(2) ? 4096 : 1 << 20);
    default:
        return draw(&own) % length;
    }
}

static uint64_t nasty_word(void)
{
    static const uint64_t words[] = {0, 1, 2, 3, 4, 5, 7, 8, 12, 16, 20, 21, 22, 64, 4096, 65535, 65536, UINT32_MAX,
                                     INT32_MAX, 1ull << 32, 1ull << 62, INT64_MAX, UINT64_MAX, UINT64_MAX - 1};
    switch (below(4)) {
    case 0:
        return draw(&own);
    case 1:
        return place();
    default:
        return words[below(sizeof words / sizeof words[0])];
    }
}

static void damage(void)
{
    size_t at = place();
    if (at + 8 > length)
        return;
    switch (below(6)) {
    case 0: // one bit
        memory[at] ^= 1 << below(8);
        break;
    case 1: // one byte
        memory[at] = draw(&own);
        break;
    case 2: { // many bytes
        size_t bytes = 1 << below(16), kind = below(3);
        for (size_t i = at; i < at + bytes && i < length; i++)
            memory[i] = kind == 0 ? 0 : kind == 1 ? 255 : draw(&own);
        break;
    }
    case 3: { // a half word that is nearly the same
        uint32_t *word = (uint32_t *)(memory + at / 4 * 4);
        *word += below(5) - 2;
        break;
    }
    default:
        *(uint64_t *)(memory + at / 8 * 8) = nasty_word();
    }
}

static void damage_memory(void)
{
    find_memory();
    if (!memory)
        exit(78);
    int times = 1 << below(12);
    switch (below(4)) {
    case 0: // by another process, while the ranks go on
    case 1:
        if (fork() == 0)
            for (;;) {
                damage();
                if (below(8) == 0)
                    usleep(below(300));
            }
        break;
    default:
        for (int i = 0; i < times; i++)
            damage();
    }
}

/* Calls with wrong arguments: attack_calls.h has a function for each function of MPI. */

static const long integers[] = {0, 0, 0, 1, 1, 1, 2, 3, 4, 7, 16, 63, 64, 65, -1, -2, -3, -4, -32766, 99, 1000, 65536, 1 << 20,
                                1 << 30, INT_MAX, INT_MAX - 1, INT_MIN, INT_MIN + 1, 0x7eadbeef};
static const long long_integers[] = {1l << 31, 1l << 32, 1l << 40, 1l << 62, LONG_MAX, LONG_MAX - 1, LONG_MIN, LONG_MIN + 1,
                                     -(1l << 31), -(1l << 40)};

static int is_tame; // whether arguments of this call are mostly right

static int pick_int(void)
{
    if (is_tame && below(8))
        return below(3);
    return below(6) == 0 ? below(size + 2) : (int)integers[below(sizeof integers / sizeof integers[0])];
}

static long pick_long(void)
{
    return below(is_tame ? 30 : 3) ? pick_int() : long_integers[below(sizeof long_integers / sizeof long_integers[0])];
}

/* Handles: those of objects that live, that are freed, and what is none. */
#define KIND(type, name, ...)                                                                                               \
    static type name##_pool[MOST];                                                                                          \
    static int name##_count;                                                                                                \
    static type pick_##name(void)                                                                                           \
    {                                                                                                                       \
        type given[] = {__VA_ARGS__};                                                                                       \
        int count = sizeof given / sizeof given[0];                                                                         \
        if (name##_count && below(2))                                                                                       \
            return name##_pool[below(name##_count)];                                                                        \
        if (below(is_tame ? 40 : 8) == 0)                                                                                   \
            return (type)(below(2) ? draw(&own) : (uint64_t)pick_long());                                                   \
        return given[below(count)];                                                                                         \
    }                                                                                                                       \
    static type *pick_##name##_array(void)                                                                                  \
    {                                                                                                                       \
        static type array[MOST];                                                                                            \
        for (int i = 0; i < MOST; i++)                                                                                      \
            array[i] = pick_##name();                                                                                       \
        return array;                                                                                                       \
    }                                                                                                                       \
    static void keep_##name(type value)                                                                                     \
    {                                                                                                                       \
        int at = name##_count < MOST ? name##_count++ : below(MOST);                                                        \
        name##_pool[at] = value;                                                                                            \
    }

KIND(MPI_Comm, MPI_Comm, MPI_COMM_SELF, MPI_COMM_SELF, MPI_COMM_SELF, MPI_COMM_WORLD, MPI_COMM_NULL, part)
KIND(MPI_Datatype, MPI_Datatype, MPI_INT, MPI_BYTE, MPI_DOUBLE, MPI_CHAR, MPI_INT, MPI_DOUBLE_INT, MPI_DATATYPE_NULL, MPI_LONG,
     MPI_PACKED, MPI_C_BOOL, MPI_LONG_DOUBLE_INT)
KIND(MPI_Op, MPI_Op, MPI_SUM, MPI_MAX, MPI_MINLOC, MPI_BAND, MPI_LXOR, MPI_REPLACE, MPI_NO_OP, MPI_OP_NULL)
KIND(MPI_Request, MPI_Request, MPI_REQUEST_NULL)
KIND(MPI_Group, MPI_Group, MPI_GROUP_EMPTY, MPI_GROUP_NULL)
KIND(MPI_Info, MPI_Info, MPI_INFO_NULL, MPI_INFO_ENV)
KIND(MPI_Errhandler, MPI_Errhandler, MPI_ERRORS_RETURN, MPI_ERRORS_RETURN, MPI_ERRORS_RETURN, MPI_ERRHANDLER_NULL)
KIND(MPI_Message, MPI_Message, MPI_MESSAGE_NULL, MPI_MESSAGE_NO_PROC)
#if MPI_VERSION >= 4
KIND(MPI_Session, MPI_Session, MPI_SESSION_NULL)
#endif

static int pick_keyval(void)
{
    return below(4) ? (int)below(8) : pick_int();
}

static void *pick_buffer(void)
{
    static char buffers[4][4 * BYTES];
    if (below(is_tame ? 60 : 10) == 0)
        return below(3) ? NULL : below(2) ? (void *)-1l : (void *)draw(&own);
    return buffers[below(4)] + (below(4) ? 0 : below(64));
}

static int *pick_ints(void)
{
    static int arrays[4][MOST];
    int *array = arrays[below(4)], is_simple = below(2);
    for (int i = 0; i < MOST; i++)
        array[i] = is_simple ? below(3) : pick_int();
    return below(is_tame ? 60 : 30) ? array : NULL;
}

static long *pick_longs(void)
{
    static long arrays[4][MOST];
    long *array = arrays[below(4)];
    for (int i = 0; i < MOST; i++)
        array[i] = pick_long();
    return below(is_tame ? 60 : 30) ? array : NULL;
}

static char *pick_text(void)
{
    static char text[2][4 * BYTES];
    static const char *words[] = {"", "key", "mpi_memory_alloc_kinds", "thread_level", "mpi://WORLD", "mpi://SELF", "native",
                                  "external32", "%s%n%d", "\xff\xfe", "mpi_size"};
    char *at = text[below(2)];
    if (below(12)) {
        strcpy(at, words[below(sizeof words / sizeof words[0])]);
    } else {
        memset(at, 'x', BYTES);
        at[below(BYTES)] = 0;
    }
    return below(30) ? at : NULL;
}

static char **pick_texts(void)
{
    static char *texts[MOST];
    texts[0] = pick_text();
    texts[1] = NULL;
    return texts;
}

static MPI_Status *pick_status(void)
{
    static MPI_Status statuses[2][MOST];
    if (below(3) == 0)
        return MPI_STATUS_IGNORE;
    MPI_Status *status = statuses[below(2)];
    if (below(4) == 0)
        for (size_t i = 0; i < sizeof(MPI_Status); i++)
            ((unsigned char *)status)[i] = draw(&own);
    return status;
}

static void *pick_pointers(void)
{
    static void *pointers[MOST];
    for (int i = 0; i < MOST; i++)
        pointers[i] = pick_buffer();
    return pointers;
}

static int depth;

static int call_any(void);

/* Functions of the program that MPI calls: they call MPI again. */
static int call_again(void)
{
    if (depth < 3 && below(3) == 0) {
        depth++;
        for (int i = below(3); i >= 0; i--)
            call_any();
        depth--;
    }
    return below(4) == 0 ? pick_int() : 0;
}

static int copy_attribute(MPI_Comm comm, int keyval, void *extra, void *from, void *to, int *flag)
{
    *flag = below(2);
    *(void **)to = from;
    return call_again();
}

static int delete_attribute(MPI_Comm comm, int keyval, void *value, void *extra)
{
    return call_again();
}

static void operate(void *in, void *inout, void *count, MPI_Datatype *datatype)
{
    call_again();
}

static void handle_error(void *object, int *code, ...)
{
    call_again();
}

static int query_request(void *extra, MPI_Status *status)
{
    return call_again();
}

static int free_request(void *extra)
{
    return call_again();
}

static int cancel_request(void *extra, int complete)
{
    return call_again();
}

/* Functions whose calls say nothing: they end the run as they should. */
static int is_left_out(const char *name)
{
    static const char *names[] = {"MPI_Abort", "MPI_Finalize", "MPI_Init", "MPI_Init_thread", "MPI_Session_finalize",
                                  "MPI_Free_mem", "MPI_Pcontrol"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return below(200) > 0;
    return 0;
}

#include "attack_calls.h"

static int is_loud;

static int call_any(void)
{
    int which = below(sizeof all_calls / sizeof all_calls[0]);
    if (is_left_out(all_calls[which].name) || (all_calls[which].is_missing && below(100)))
        return 0;
    is_tame = below(4) > 0;
    if (is_loud)
        fprintf(stderr, "%*s%s\n", depth, "", all_calls[which].name);
    return all_calls[which].call();
}

static void make_objects(void)
{
    MPI_Request request;
    MPI_Datatype type;
    MPI_Comm comm;
    MPI_Group group;
    MPI_Info info;
    MPI_Op op;
    MPI_Errhandler handler;
    int keyval, periods[2] = {1, 1}, lengths[2] = {1, 1};
    MPI_Type_vector(3, 2, 5, MPI_INT, &type);
    MPI_Type_commit(&type);
    keep_MPI_Datatype(type);
    MPI_Type_create_resized(type, -8, 128, &type);
    MPI_Type_commit(&type);
    keep_MPI_Datatype(type);
    MPI_Type_contiguous(2, type, &type);
    keep_MPI_Datatype(type);
    MPI_Type_free(&type);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    keep_MPI_Comm(comm);
    MPI_Cart_create(MPI_COMM_SELF, 2, lengths, periods, 0, &comm);
    keep_MPI_Comm(comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 1, (int[]){0}, lengths, 1, (int[]){0}, lengths, MPI_INFO_NULL, 0, &comm);
    keep_MPI_Comm(comm);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    keep_MPI_Group(group);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    keep_MPI_Info(info);
    MPI_Op_create((MPI_User_function *)operate, 1, &op);
    keep_MPI_Op(op);
    MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)handle_error, &handler);
    keep_MPI_Errhandler(handler);
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    keep_MPI_Session(session);
#endif
    MPI_Comm_create_keyval((MPI_Comm_copy_attr_function *)copy_attribute, (MPI_Comm_delete_attr_function *)delete_attribute,
                           &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Irecv(received, 4, MPI_BYTE, 0, 7, MPI_COMM_SELF, &request);
    keep_MPI_Request(request);
    MPI_Send_init(sent, 4, MPI_BYTE, 0, 8, MPI_COMM_SELF, &request);
    keep_MPI_Request(request);
    MPI_Recv_init(received, 4, MPI_BYTE, 0, 8, MPI_COMM_SELF, &request);
    keep_MPI_Request(request);
#if MPI_VERSION >= 4
    MPI_Bcast_init(received, 4, MPI_BYTE, 0, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    keep_MPI_Request(request);
    MPI_Psend_init(sent, 2, 4, MPI_BYTE, 0, 9, MPI_COMM_SELF, MPI_INFO_NULL, &request);
    keep_MPI_Request(request);
#endif
    MPI_Grequest_start(query_request, free_request, cancel_request, NULL, &request);
    keep_MPI_Request(request);
}

/* What every library in order still does. */
static void check_library(void)
{
    int value = 5, is_other, bytes;
    if (MPI_Comm_size(MPI_COMM_WORLD, &value) || value != size || MPI_Type_size(MPI_INT, &bytes) || bytes != 4 ||
        MPI_Comm_rank(MPI_COMM_WORLD, &is_other) || is_other != rank)
        fprintf(stderr, "the library is damaged\n");
}

static void call_wrongly(void)
{
    is_loud = getenv("ATTACK_LOUD") != NULL;
    int is_fatal = below(16) == 0;
    if (!is_fatal) {
        MPI_Comm_set_errhandler(part, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    }
    make_objects();
    for (int i = 1 << below(10); i >= 0; i--) {
        if (!is_fatal) {
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
            MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        }
        call_any();
    }
    check_library();
}

/* Misdeeds. */

static void overrun_stack(volatile char *above)
{
    volatile char here[4096];
    here[0] = above ? above[0] : 0;
    overrun_stack(here);
    here[1] = here[0];
}

static void call_of_signal(int unused)
{
    step_of_traffic();
    MPI_Wtime();
}

static jmp_buf back;

static void jump(int unused)
{
    longjmp(back, 1);
}

static void call_at_end(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void *call_in_thread(void *unused)
{
    uint64_t state = common;
    for (int i = 0; i < 100; i++) {
        common = state;
        step_of_traffic();
        MPI_Wtime();
    }
    return NULL;
}

static void set_timer(void (*handler)(int), int microseconds)
{
    struct itimerval timer = {{0, microseconds}, {0, microseconds}};
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void stay(void)
{
    for (;;)
        pause();
}

/* The variables by which a process is known, if it has not overwritten them. */
static void overwrite_environment(void)
{
    extern char **environ;
    for (char **variable = environ; *variable; variable++)
        memset(*variable, 'x', strlen(*variable));
}

static void print_for_ever(int with_variables)
{
    static char text[] = "text\n";
    signal(SIGPIPE, SIG_IGN);
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            if (!with_variables)
                overwrite_environment();
            for (;;)
                (void)!write(1, text, sizeof text - 1);
        }
        _exit(0);
    }
}

static void daemonize(int without_variables)
{
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, 0);
        setsid();
        if (fork() == 0) {
            if (without_variables)
                overwrite_environment();
            stay();
        }
        _exit(0);
    }
}

static void print(long bytes)
{
    static char line[1 << 16];
    memset(line, 'y', sizeof line);
    for (long i = 0; i < bytes; i += sizeof line)
        if (write(1 + below(2), line, sizeof line) < 0)
            return;
}

static void misbehave(void)
{
    static const int limits[] = {RLIMIT_AS, RLIMIT_NOFILE, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_NPROC};
    struct rlimit limit = {0, 0};
    pthread_t thread;
    size_t page;
    int what = below(52), signal_number = 1 + below(64);
    if (getenv("ATTACK_LOUD"))
        fprintf(stderr, "misdeed %d\n", what);
    find_memory();
    switch (what) {
    case 0:
        raise(signal_number);
        break;
    case 1:
        raise(SIGKILL);
        break;
    case 2:
        exit(below(256));
    case 3:
        _exit(below(256));
    case 4:
        for (int i = 0; i < 4096; i++)
            close(i);
        break;
    case 5:
        for (int i = 0; i < 200; i++)
            dup2(open("/dev/null", O_RDWR), i);
        break;
    case 6:
        print(24 << 20);
        break;
    case 7:
        print(1 << 20);
        raise(SIGKILL);
        break;
    case 8:
        raise(SIGSTOP);
        break;
    case 9: // the process that has forked the ranks; the parent of others is the simulator
        if (has_begun && getenv("ATTACK_FORKED"))
            kill(getppid(), SIGSTOP);
        break;
    case 10:
        if (has_begun && getenv("ATTACK_FORKED"))
            kill(getppid(), signal_number);
        break;
    case 11:
        kill(0, signal_number);
        break;
    case 12:
        limit.rlim_cur = below(2) ? 0 : 1 << below(30);
        limit.rlim_max = limit.rlim_cur;
        setrlimit(limits[below(7)], &limit);
        break;
    case 13:
        (void)!chdir("/proc/self/fd");
        break;
    case 14:
        munmap(memory, length);
        break;
    case 15:
        page = place() / 4096 * 4096;
        munmap(memory + page, 4096);
        break;
    case 16:
        mprotect(memory, length, below(2) ? PROT_READ : PROT_NONE);
        break;
    case 17:
        mmap(memory, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        break;
    case 18:
        madvise(memory, length, MADV_REMOVE);
        break;
    case 19:
        for (int i = 3; i < 4096; i++) {
            (void)!ftruncate(i, below(2));
            (void)!fallocate(i, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20);
            (void)!pwrite(i, integers, sizeof integers, below(8192));
        }
        break;
    case 20:
        set_timer(call_of_signal, 50 + below(2000));
        break;
    case 21:
        if (setjmp(back) < 3)
            set_timer(jump, 50 + below(2000));
        break;
    case 22:
        atexit(call_at_end);
        exit(0);
    case 23:
        atexit(call_at_end);
        break;
    case 24:
        pthread_create(&thread, NULL, call_in_thread, NULL);
        break;
    case 25:
        MPI_Finalize();
        step_of_traffic();
        break;
    case 26:
        MPI_Finalize();
        stay();
        break;
    case 27:
        execlp("sleep", "sleep", sleeping, NULL);
        break;
    case 28:
        execlp("true", "true", NULL);
        break;
    case 29: // other collectives than the others
        draw(&common);
        break;
    case 30:
        overrun_stack(NULL);
        break;
    case 31:
        daemonize(0);
        break;
    case 32:
        daemonize(1);
        break;
    case 33:
        prctl(PR_SET_PDEATHSIG, 0);
        setsid();
        if (below(2))
            stay();
        break;
    case 34:
        for (int i = 0; i < 50; i++)
            if (fork() == 0) {
                if (below(2))
                    setsid();
                stay();
            }
        break;
    case 35:
        for (int i = 1; i < 65; i++)
            signal(i, below(2) ? SIG_IGN : call_of_signal);
        break;
    case 36: // processes that start others, one after the other
        if (fork() == 0) {
            setsid();
            for (int i = 0; i < 20000; i++) {
                if (fork() != 0)
                    _exit(0);
                usleep(100);
            }
        }
        break;
    case 37:
        while (fork() != 0 && below(8))
            usleep(10);
        break;
    case 38:
        if (fork() == 0)
            step_of_traffic();
        break;
    case 39:
        prctl(PR_SET_DUMPABLE, 0);
        daemonize(0);
        break;
    case 40:
        if (fork() > 0)
            _exit(0);
        break;
    case 41:
        if (vfork() == 0)
            _exit(0);
        break;
    case 42:
        abort();
    case 43:
        *(volatile int *)(below(2) ? NULL : (void *)draw(&own)) = 1;
        break;
    case 46:
    case 47:
        print_for_ever(what == 46);
        break;
    case 48: // hands over again and again, without a call
        if (fork() == 0)
            for (;;)
                *(volatile uint32_t *)(memory + 4096 + 320 * rank) = 0;
        stay();
        break;
    case 49:
        if (fork() == 0)
            for (;;)
                memset(memory + 4096, below(2), 320 * size);
        break;
    case 50: // ends within calls, or between them
        if (fork() == 0) {
            usleep(below(3000));
            kill(getppid(), SIGKILL);
        }
        break;
    case 51: // all ranks end within calls, or between them
        if (fork() == 0) {
            usleep(below(3000));
            kill(0, SIGKILL);
        }
        break;
    case 44:
        close(1);
        close(2);
        break;
    default:
        MPI_Comm_free(&part);
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 80;
    uint64_t seed = strtoull(argv[2], NULL, 10);
    snprintf(sleeping, sizeof sleeping, "98765.%s", argv[2]); // by which the process is known
    common = own = seed;
    int early = draw(&own) % 30 == 0;
    if (early && strcmp(argv[1], "deed") == 0)
        misbehave();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    has_begun = 1;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    int step = draw(&common) % STEPS, who = draw(&common) % size, of_all = draw(&common) % 8 == 0;
    own = seed * 1000003 + rank;
    for (int i = 0; i < STEPS || strcmp(argv[1], "endless") == 0; i++) {
        step_of_traffic();
        if (i != step || (rank != who && !of_all))
            continue;
        if (strcmp(argv[1], "deed") == 0)
            misbehave();
        if (strcmp(argv[1], "memory") == 0)
            damage_memory();
        if (strcmp(argv[1], "calls") == 0)
            call_wrongly();
    }
    MPI_Finalize();
    return 0;
}

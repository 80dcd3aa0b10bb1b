/* Computing, sleeps and waits take the simulated time that the program asks for, by all clocks. */
#include "check.h"
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <torusim.h>
#include <unistd.h>

static double clocks[4];

static void look(void)
{
    struct timeval day;
    struct timespec now[2];
    gettimeofday(&day, NULL);
    clock_gettime(CLOCK_REALTIME, &now[0]);
    clock_gettime(CLOCK_MONOTONIC, &now[1]);
    clocks[0] = MPI_Wtime();
    clocks[1] = day.tv_sec + 1e-6 * day.tv_usec;
    clocks[2] = now[0].tv_sec + 1e-9 * now[0].tv_nsec;
    clocks[3] = now[1].tv_sec + 1e-9 * now[1].tv_nsec;
}

static void has_taken(double seconds)
{
    double before[4];
    for (int clock = 0; clock < 4; clock++)
        before[clock] = clocks[clock];
    look();
    for (int clock = 0; clock < 4; clock++) /* each look costs a call */
        CHECK(clocks[clock] - before[clock] > seconds - 1e-6 && clocks[clock] - before[clock] < seconds + 1e-5);
}

static struct timespec later(clockid_t clock, long milliseconds)
{
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += milliseconds * 1000000;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

int main(int argc, char **argv)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER, monotonic;
    pthread_condattr_t attributes;
    struct timespec time, second = {1, 0};
    struct timeval third = {0, 300000};
    struct pollfd file = {0, POLLIN, 0};
    sem_t semaphore;
    int pipes[2];
    MPI_Init(&argc, &argv);
    look();
    torusim_compute(0.25);
    has_taken(0.25);
    torusim_compute(argc > 1 ? -1.0 : 0.0);
    has_taken(0);
    usleep(20000);
    has_taken(0.02);
    sleep(3600);
    has_taken(3600);
    nanosleep(&second, NULL);
    has_taken(1);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL);
    has_taken(1);
    time = later(CLOCK_MONOTONIC, 500);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
    has_taken(0.5);
    CHECK(select(0, NULL, NULL, NULL, &third) == 0 && poll(NULL, 0, 200) == 0);
    has_taken(0.5);

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&monotonic, &attributes);
    pthread_mutex_lock(&mutex);
    time = later(CLOCK_REALTIME, 20);
    CHECK(pthread_cond_timedwait(&condition, &mutex, &time) == ETIMEDOUT);
    has_taken(0.02);
    time = later(CLOCK_MONOTONIC, 20);
    CHECK(pthread_cond_timedwait(&monotonic, &mutex, &time) == ETIMEDOUT);
    has_taken(0.02);
    sem_init(&semaphore, 0, 1);
    time = later(CLOCK_REALTIME, 20);
    CHECK(sem_timedwait(&semaphore, &time) == 0);
    has_taken(0);
    CHECK(sem_timedwait(&semaphore, &time) == -1 && errno == ETIMEDOUT);
    has_taken(0.02);
    CHECK(pipe(pipes) == 0);
    file.fd = pipes[0];
    CHECK(poll(&file, 1, 20) == 0);
    has_taken(0.02);
    CHECK(write(pipes[1], "x", 1) == 1 && poll(&file, 1, 20) == 1);
    has_taken(0);
    MPI_Finalize();
    return 0;
}

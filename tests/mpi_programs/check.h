/* Ends the program where data are wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            printf("%s:%d: wrong data: %s\n", __FILE__, __LINE__, #condition);                                        \
            MPI_Abort(MPI_COMM_WORLD, 3);                                                                             \
        }                                                                                                             \
    } while (0)

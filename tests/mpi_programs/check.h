/* Ends the run if data are wrong. */
#include <stdio.h>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            printf("%s:%d: wrong data: %s\n", __FILE__, __LINE__, #condition);                                        \
            MPI_Abort(MPI_COMM_WORLD, 3);                                                                             \
        }                                                                                                             \
    } while (0)

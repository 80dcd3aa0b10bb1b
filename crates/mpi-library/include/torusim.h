/* Functions of torusim's MPI libraries that are not MPI's. Programs that use them run on the simulated machine only. */
#ifndef TORUSIM_H
#define TORUSIM_H

#ifdef __cplusplus
extern "C" {
#endif

/* Computes for a time in seconds, which is rounded to processor cycles. It takes no time of the host. */
void torusim_compute(double seconds);

#ifdef __cplusplus
}
#endif

#endif

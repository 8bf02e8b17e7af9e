// What Threads needs of POSIX threads where Swift's Glibc module lacks it.
// <sys/select.h> comes first, or `fd_set` differs between modules and test builds fail.
#ifndef ROWCAST_CTHREADS_SHIM_H
#define ROWCAST_CTHREADS_SHIM_H

#include <sys/select.h>

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

// Glibc hides these behind _GNU_SOURCE, which modules are built without.
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);

#endif

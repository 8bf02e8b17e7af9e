// What SQLiteStore needs of SQLite 3, and of the system where Swift's Glibc module lacks it.
// <sys/select.h> comes first, or `fd_set` differs between modules and test builds fail.
#ifndef ROWCAST_CSQLITE_SHIM_H
#define ROWCAST_CSQLITE_SHIM_H

#include <sys/select.h>

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <sqlite3.h>

// sqlite3_config and sqlite3_db_config take variable arguments, which Swift does not import.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline int csqlite_keep_wal_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Glibc hides these behind _GNU_SOURCE, which modules are built without.
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);

#endif

// What SQLiteStore needs of SQLite 3, and of the system where Swift's Glibc module lacks it.
// <sys/select.h> comes first, or `fd_set` differs between modules and test builds fail.
#ifndef ROWCAST_CSQLITE_SHIM_H
#define ROWCAST_CSQLITE_SHIM_H

#include <sys/select.h>

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast pointer, which Swift does not import.
static inline int csqlite_bind_copy(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// sqlite3_db_config takes variable arguments, which Swift does not import.
static inline int csqlite_keep_wal_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

// Glibc hides these behind _GNU_SOURCE, which modules are built without.
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until);

#endif

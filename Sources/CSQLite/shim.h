// What SQLiteStore needs of SQLite 3.
#ifndef ROWCAST_CSQLITE_SHIM_H
#define ROWCAST_CSQLITE_SHIM_H

#include <sqlite3.h>

// sqlite3_config and sqlite3_db_config take variable arguments, which Swift does not import.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline int csqlite_keep_wal_on_close(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif

// What the tests need of posix_spawn(3) where Swift's Glibc module lacks it.
// <sys/select.h> comes first, or `fd_set` differs between modules and test builds fail.
#ifndef ROWCAST_CSPAWN_SHIM_H
#define ROWCAST_CSPAWN_SHIM_H

#include <sys/select.h>

#include <spawn.h>

// Glibc hides these behind _GNU_SOURCE, which modules are built without.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

#endif

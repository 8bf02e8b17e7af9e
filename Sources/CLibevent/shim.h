// What EventLoop needs of libevent 2.1, and of the system where Swift's Glibc module lacks it.
// <sys/select.h> comes first, or `fd_set` differs between modules and test builds fail.
#ifndef ROWCAST_CLIBEVENT_SHIM_H
#define ROWCAST_CLIBEVENT_SHIM_H

#include <sys/select.h>

#include <malloc.h>
#include <sys/eventfd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <event2/thread.h>
#include <event2/util.h>

#endif

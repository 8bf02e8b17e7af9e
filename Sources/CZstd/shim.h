// What ZstdPacking needs of libzstd.
#ifndef ROWCAST_CZSTD_SHIM_H
#define ROWCAST_CZSTD_SHIM_H

#include <zstd.h>

#endif

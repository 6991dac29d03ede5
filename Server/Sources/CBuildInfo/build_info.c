#include "build_info.h"

#ifndef BUILD_COMMIT
#define BUILD_COMMIT "unknown"
#endif

const char *build_info_commit(void) { return BUILD_COMMIT; }

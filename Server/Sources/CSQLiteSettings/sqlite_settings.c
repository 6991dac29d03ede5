#include "sqlite_settings.h"

#include <sqlite3.h>

int sqlite_settings_uncounted_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

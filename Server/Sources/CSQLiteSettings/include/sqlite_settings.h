// What SQLite can be told only through a function with a variable list of arguments, which Swift cannot call.
#ifndef SQLITE_SETTINGS_H
#define SQLITE_SETTINGS_H

// Leaves off SQLite's count of the memory that it has: each allocation of each connection takes one lock for it.
//
// Takes effect only before this process first uses SQLite. Returns 0, or an error of SQLite's.
int sqlite_settings_uncounted_memory(void);

#endif

// A layer over SQLite's way to the disk that knows, at any moment, what a loss of power would leave of a database.
//
// Files in a watched folder are written as ever. Beside them, what has been synced is kept apart from what has not, so
// that a test can ask for the disk as it would be found had the power gone in this moment. Other files are not touched.
#ifndef FAULTY_VFS_H
#define FAULTY_VFS_H

// Watches the files that are opened in a folder from now on. Returns 0, or an error of SQLite's.
int faulty_vfs_watch(const char *folder);

// Writes the watched files of a folder into another one as a loss of power would leave them now.
//
// With seed 0 no unsynced write survives; with any other seed each survives by the toss of a coin, as on a disk that
// writes in an order of its own. Returns how many unsynced writes there were, or -1 where the folder cannot be written.
int faulty_vfs_lose_power(const char *folder, const char *into, unsigned seed);

// Fills the disk of a folder, or frees it again: while it is full, watched files in the folder take no writes.
void faulty_vfs_fill(const char *folder, int full);

#endif

#include "faulty_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One write or truncation that has not been synced.
typedef struct Pending {
    struct Pending *next;
    sqlite3_int64 offset;
    int length;  // -1: the file is cut off at offset
    unsigned char bytes[];
} Pending;

// What is known of one file, for as long as the process runs.
typedef struct Shadow {
    struct Shadow *next;
    char *path;
    unsigned char *durable;
    sqlite3_int64 size;
    int full;    // the disk takes no writes
    int exists;  // it has been synced at least once
    Pending *first, **last;
} Shadow;

typedef struct WatchedFile {
    sqlite3_file base;
    Shadow *shadow;
    sqlite3_file real[];  // the file of the VFS below, which takes all the room that follows
} WatchedFile;

enum { FOLDERS = 64 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Shadow *shadows;
static char *folders[FOLDERS];
static int folder_count;
static sqlite3_vfs *below;
static sqlite3_vfs layer;

static void *must(void *memory) {
    if (!memory) abort();
    return memory;
}

// MARK: What is on the disk

static void apply(unsigned char **content, sqlite3_int64 *size, const Pending *write) {
    sqlite3_int64 end = write->length < 0 ? write->offset : write->offset + write->length;
    if (end > *size || write->length < 0) {
        *content = must(realloc(*content, end > 0 ? (size_t)end : 1));
        if (end > *size) memset(*content + *size, 0, (size_t)(end - *size));
        *size = end;
    }
    if (write->length > 0) memcpy(*content + write->offset, write->bytes, (size_t)write->length);
}

static void forget_pending(Shadow *shadow) {
    while (shadow->first) {
        Pending *write = shadow->first;
        shadow->first = write->next;
        free(write);
    }
    shadow->last = &shadow->first;
}

static void note(Shadow *shadow, sqlite3_int64 offset, int length, const void *bytes) {
    Pending *write = must(malloc(sizeof(Pending) + (length > 0 ? (size_t)length : 0)));
    write->next = NULL;
    write->offset = offset;
    write->length = length;
    if (length > 0) memcpy(write->bytes, bytes, (size_t)length);
    pthread_mutex_lock(&lock);
    *shadow->last = write;
    shadow->last = &write->next;
    pthread_mutex_unlock(&lock);
}

static Shadow *shadow_of(const char *path) {
    for (Shadow *shadow = shadows; shadow; shadow = shadow->next)
        if (strcmp(shadow->path, path) == 0) return shadow;
    return NULL;
}

// The shadow of a file that is being opened. What it holds already counts as durable.
static Shadow *open_shadow(const char *path) {
    Shadow *shadow = shadow_of(path);
    if (shadow) return shadow;
    shadow = must(calloc(1, sizeof(Shadow)));
    shadow->path = must(strdup(path));
    shadow->last = &shadow->first;
    FILE *file = fopen(path, "rb");
    if (file) {
        unsigned char block[4096];
        size_t count;
        while ((count = fread(block, 1, sizeof block, file)) > 0) {
            shadow->durable = must(realloc(shadow->durable, (size_t)shadow->size + count));
            memcpy(shadow->durable + shadow->size, block, count);
            shadow->size += (sqlite3_int64)count;
        }
        shadow->exists = 1;
        fclose(file);
    }
    shadow->next = shadows;
    shadows = shadow;
    return shadow;
}

// MARK: Files

static sqlite3_file *real(sqlite3_file *file) { return ((WatchedFile *)file)->real; }

#define FORWARD(name, parameters, ...) \
    static int name parameters { return real(file)->pMethods->name(real(file), ##__VA_ARGS__); }

FORWARD(xRead, (sqlite3_file * file, void *into, int count, sqlite3_int64 offset), into, count, offset)
FORWARD(xFileSize, (sqlite3_file * file, sqlite3_int64 *size), size)
FORWARD(xLock, (sqlite3_file * file, int level), level)
FORWARD(xUnlock, (sqlite3_file * file, int level), level)
FORWARD(xCheckReservedLock, (sqlite3_file * file, int *result), result)
FORWARD(xFileControl, (sqlite3_file * file, int operation, void *argument), operation, argument)
FORWARD(xSectorSize, (sqlite3_file * file))
FORWARD(xDeviceCharacteristics, (sqlite3_file * file))
FORWARD(xShmMap, (sqlite3_file * file, int page, int size, int extend, void volatile **at), page, size, extend, at)
FORWARD(xShmLock, (sqlite3_file * file, int offset, int count, int flags), offset, count, flags)
FORWARD(xShmUnmap, (sqlite3_file * file, int remove), remove)

static void xShmBarrier(sqlite3_file *file) { real(file)->pMethods->xShmBarrier(real(file)); }

static int xWrite(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    pthread_mutex_lock(&lock);
    int full = ((WatchedFile *)file)->shadow->full;
    pthread_mutex_unlock(&lock);
    if (full) return SQLITE_FULL;
    int result = real(file)->pMethods->xWrite(real(file), bytes, count, offset);
    if (result == SQLITE_OK) note(((WatchedFile *)file)->shadow, offset, count, bytes);
    return result;
}

static int xTruncate(sqlite3_file *file, sqlite3_int64 size) {
    int result = real(file)->pMethods->xTruncate(real(file), size);
    if (result == SQLITE_OK) note(((WatchedFile *)file)->shadow, size, -1, NULL);
    return result;
}

static int xSync(sqlite3_file *file, int flags) {
    Shadow *shadow = ((WatchedFile *)file)->shadow;
    int result = real(file)->pMethods->xSync(real(file), flags);
    if (result != SQLITE_OK) return result;
    pthread_mutex_lock(&lock);
    for (Pending *write = shadow->first; write; write = write->next) apply(&shadow->durable, &shadow->size, write);
    forget_pending(shadow);
    shadow->exists = 1;
    pthread_mutex_unlock(&lock);
    return SQLITE_OK;
}

static int xClose(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static const sqlite3_io_methods methods = {
    2,        xClose,       xRead,       xWrite,  xTruncate, xSync,  xFileSize, xLock, xUnlock, xCheckReservedLock,
    xFileControl, xSectorSize, xDeviceCharacteristics, xShmMap, xShmLock, xShmBarrier, xShmUnmap, NULL, NULL,
};

// MARK: The layer

static int is_watched(const char *path) {
    for (int index = 0; path && index < folder_count; index++) {
        size_t length = strlen(folders[index]);
        if (strncmp(path, folders[index], length) == 0 && path[length] == '/') return 1;
    }
    return 0;
}

static int xOpen(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    pthread_mutex_lock(&lock);
    Shadow *shadow = is_watched(path) ? open_shadow(path) : NULL;
    pthread_mutex_unlock(&lock);
    if (!shadow) return below->xOpen(below, path, file, flags, out);
    WatchedFile *watched = (WatchedFile *)file;
    watched->shadow = shadow;
    int result = below->xOpen(below, path, watched->real, flags, out);
    file->pMethods = watched->real->pMethods ? &methods : NULL;
    return result;
}

// Counted as durable at once: SQLite removes a log only when all that it held has been synced elsewhere.
static int xDelete(sqlite3_vfs *vfs, const char *path, int sync) {
    (void)vfs;
    int result = below->xDelete(below, path, sync);
    pthread_mutex_lock(&lock);
    Shadow *shadow = shadow_of(path);
    if (shadow && result == SQLITE_OK) {
        forget_pending(shadow);
        shadow->size = 0;
        shadow->exists = 0;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int faulty_vfs_watch(const char *folder) {
    int result = SQLITE_OK;
    pthread_mutex_lock(&lock);
    if (!below) {
        below = sqlite3_vfs_find(NULL);
        layer = *below;
        layer.zName = "faulty";
        layer.szOsFile = (int)sizeof(WatchedFile) + below->szOsFile;
        layer.xOpen = xOpen;
        layer.xDelete = xDelete;
        result = sqlite3_vfs_register(&layer, 1);
    }
    if (folder_count == FOLDERS) result = SQLITE_FULL;
    if (result == SQLITE_OK) folders[folder_count++] = must(strdup(folder));
    pthread_mutex_unlock(&lock);
    return result;
}

// MARK: Losing power

static int write_survivors(const Shadow *shadow, const char *into, unsigned *seed, int *unsynced) {
    unsigned char *content = must(malloc(shadow->size > 0 ? (size_t)shadow->size : 1));
    sqlite3_int64 size = shadow->size;
    if (size > 0) memcpy(content, shadow->durable, (size_t)size);
    int exists = shadow->exists;
    for (const Pending *write = shadow->first; write; write = write->next) {
        ++*unsynced;
        if (*seed == 0) continue;
        *seed = *seed * 1103515245u + 12345u;
        if (*seed >> 16 & 1) {
            apply(&content, &size, write);
            exists = 1;
        }
        if (*seed == 0) *seed = 1;
    }
    int result = 0;
    if (exists) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", into, strrchr(shadow->path, '/') + 1);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(content, 1, (size_t)size, file) != (size_t)size) result = -1;
        if (file && fclose(file) != 0) result = -1;
    }
    free(content);
    return result;
}

int faulty_vfs_lose_power(const char *folder, const char *into, unsigned seed) {
    int unsynced = 0;
    size_t length = strlen(folder);
    pthread_mutex_lock(&lock);
    for (Shadow *shadow = shadows; shadow && unsynced >= 0; shadow = shadow->next) {
        if (strncmp(shadow->path, folder, length) != 0 || shadow->path[length] != '/') continue;
        if (write_survivors(shadow, into, &seed, &unsynced) != 0) unsynced = -1;
    }
    pthread_mutex_unlock(&lock);
    return unsynced;
}

// MARK: Filling the disk

void faulty_vfs_fill(const char *folder, int full) {
    size_t length = strlen(folder);
    pthread_mutex_lock(&lock);
    for (Shadow *shadow = shadows; shadow; shadow = shadow->next)
        if (strncmp(shadow->path, folder, length) == 0 && shadow->path[length] == '/') shadow->full = full;
    pthread_mutex_unlock(&lock);
}

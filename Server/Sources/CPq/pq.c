#include "pq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

// Each function is found in the library once, and called through its pointer. The first column is its kind of answer.
#define FUNCTIONS(VALUE, NOTHING) \
    VALUE(PGconn *, PQconnectdbParams, (const char *const *words, const char *const *values, int expand), \
        (words, values, expand)) \
    NOTHING(PQfinish, (PGconn *c), (c)) \
    VALUE(int, PQstatus, (const PGconn *c), (c)) \
    VALUE(int, PQsocket, (const PGconn *c), (c)) \
    VALUE(int, PQbackendPID, (const PGconn *c), (c)) \
    VALUE(int, PQserverVersion, (const PGconn *c), (c)) \
    VALUE(int, PQsetErrorVerbosity, (PGconn *c, int verbosity), (c, verbosity)) \
    NOTHING(PQreset, (PGconn *c), (c)) \
    VALUE(int, PQtransactionStatus, (const PGconn *c), (c)) \
    VALUE(char *, PQerrorMessage, (const PGconn *c), (c)) \
    VALUE(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *c, PQnoticeProcessor p, void *a), (c, p, a)) \
    VALUE(int, PQconsumeInput, (PGconn *c), (c)) \
    VALUE(PGnotify *, PQnotifies, (PGconn *c), (c)) \
    NOTHING(PQfreemem, (void *p), (p)) \
    VALUE(int, PQenterPipelineMode, (PGconn *c), (c)) \
    VALUE(int, PQexitPipelineMode, (PGconn *c), (c)) \
    VALUE(int, PQpipelineSync, (PGconn *c), (c)) \
    VALUE(PGresult *, PQexec, (PGconn *c, const char *text), (c, text)) \
    VALUE(int, PQputCopyData, (PGconn *c, const char *bytes, int count), (c, bytes, count)) \
    VALUE(int, PQputCopyEnd, (PGconn *c, const char *error), (c, error)) \
    VALUE(int, PQgetCopyData, (PGconn *c, char **bytes, int async), (c, bytes, async)) \
    VALUE(int, PQsendPrepare, (PGconn *c, const char *name, const char *text, int n, const Oid *types), \
        (c, name, text, n, types)) \
    VALUE(int, PQsendQueryPrepared, \
        (PGconn *c, const char *name, int n, const char *const *values, const int *lengths, const int *formats, int f), \
        (c, name, n, values, lengths, formats, f)) \
    VALUE(int, PQsendQueryParams, \
        (PGconn *c, const char *text, int n, const Oid *types, const char *const *values, const int *lengths, \
         const int *formats, int f), \
        (c, text, n, types, values, lengths, formats, f)) \
    VALUE(PGresult *, PQgetResult, (PGconn *c), (c)) \
    VALUE(int, PQresultStatus, (const PGresult *r), (r)) \
    VALUE(char *, PQresultErrorField, (const PGresult *r, int field), (r, field)) \
    VALUE(char *, PQcmdStatus, (PGresult *r), (r)) \
    VALUE(char *, PQcmdTuples, (PGresult *r), (r)) \
    VALUE(int, PQntuples, (const PGresult *r), (r)) \
    VALUE(int, PQnfields, (const PGresult *r), (r)) \
    VALUE(Oid, PQftype, (const PGresult *r, int column), (r, column)) \
    VALUE(int, PQgetisnull, (const PGresult *r, int row, int column), (r, row, column)) \
    VALUE(int, PQgetlength, (const PGresult *r, int row, int column), (r, row, column)) \
    VALUE(char *, PQgetvalue, (const PGresult *r, int row, int column), (r, row, column)) \
    NOTHING(PQclear, (PGresult *r), (r))

#define POINTER(type, name, parameters, arguments) static type(*found_##name) parameters;
#define POINTER_TO_NOTHING(name, parameters, arguments) static void(*found_##name) parameters;
FUNCTIONS(POINTER, POINTER_TO_NOTHING)

#define CALL(type, name, parameters, arguments) \
    type name parameters { return found_##name arguments; }
#define CALL_OF_NOTHING(name, parameters, arguments) \
    void name parameters { found_##name arguments; }
FUNCTIONS(CALL, CALL_OF_NOTHING)

static const char *const names[] = {"libpq.so.5", "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib"};
static char reason[512];
static int failed;

static void load(void) {
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (library == NULL) {
        snprintf(reason, sizeof reason, "libpq is missing: install libpq5 (%s)", dlerror());
        failed = 1;
        return;
    }
#define FIND(name) \
    if (!failed && (*(void **)&found_##name = dlsym(library, #name)) == NULL) { \
        snprintf(reason, sizeof reason, "libpq has no %s: version 14 or newer is needed", #name); \
        failed = 1; \
    }
#define FIND_VALUE(type, name, parameters, arguments) FIND(name)
#define FIND_NOTHING(name, parameters, arguments) FIND(name)
    FUNCTIONS(FIND_VALUE, FIND_NOTHING)
}

const char *pq_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return failed ? reason : NULL;
}

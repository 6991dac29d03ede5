#ifndef EYOT_PQ_H
#define EYOT_PQ_H

// The functions of libpq that Eyot uses, with the names, types and numbers of its stable interface (libpq.so.5).
//
// The library is loaded when the first connection is made. A program that keeps its data in SQLite runs without it.
// Version 14 or newer is needed, for pipelines.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;
typedef unsigned int Oid;

/// A notification that the server sent. The last member is libpq's own.
typedef struct pgNotify {
    char *_Nonnull relname;
    int be_pid;
    char *_Nonnull extra;
    struct pgNotify *_Nullable next;
} PGnotify;

enum { CONNECTION_OK = 0 };

enum {
    PGRES_COMMAND_OK = 1,
    PGRES_TUPLES_OK = 2,
    PGRES_COPY_OUT = 3,
    PGRES_COPY_IN = 4,
    PGRES_PIPELINE_SYNC = 10,
    PGRES_PIPELINE_ABORTED = 11
};

enum { PQERRORS_DEFAULT = 1, PQERRORS_SQLSTATE = 3 };

enum { PQTRANS_IDLE = 0, PQTRANS_ACTIVE = 1, PQTRANS_INTRANS = 2, PQTRANS_INERROR = 3, PQTRANS_UNKNOWN = 4 };

/// Loads the library. Safe to call by several threads, and again.
///
/// Returns NULL if it is loaded, and otherwise the reason, which is valid for ever.
const char *_Nullable pq_load(void);

PGconn *_Nullable PQconnectdbParams(
    const char *_Nullable const *_Nullable keywords, const char *_Nullable const *_Nullable values, int expand_dbname);
void PQfinish(PGconn *_Nonnull connection);
int PQstatus(const PGconn *_Nonnull connection);
int PQsocket(const PGconn *_Nonnull connection);
int PQbackendPID(const PGconn *_Nonnull connection);
int PQserverVersion(const PGconn *_Nonnull connection);
int PQsetErrorVerbosity(PGconn *_Nonnull connection, int verbosity);
void PQreset(PGconn *_Nonnull connection);
int PQtransactionStatus(const PGconn *_Nonnull connection);
char *_Nonnull PQerrorMessage(const PGconn *_Nonnull connection);
typedef void (*PQnoticeProcessor)(void *_Nullable argument, const char *_Nullable message);
PQnoticeProcessor _Nullable PQsetNoticeProcessor(
    PGconn *_Nonnull connection, PQnoticeProcessor _Nullable processor, void *_Nullable argument);

int PQconsumeInput(PGconn *_Nonnull connection);
PGnotify *_Nullable PQnotifies(PGconn *_Nonnull connection);
void PQfreemem(void *_Nullable memory);

int PQenterPipelineMode(PGconn *_Nonnull connection);
int PQexitPipelineMode(PGconn *_Nonnull connection);
int PQpipelineSync(PGconn *_Nonnull connection);
PGresult *_Nullable PQexec(PGconn *_Nonnull connection, const char *_Nonnull text);
int PQputCopyData(PGconn *_Nonnull connection, const char *_Nullable bytes, int count);
int PQputCopyEnd(PGconn *_Nonnull connection, const char *_Nullable error);
int PQgetCopyData(PGconn *_Nonnull connection, char *_Nullable *_Nonnull bytes, int async);
int PQsendPrepare(
    PGconn *_Nonnull connection, const char *_Nonnull name, const char *_Nonnull text, int count,
    const Oid *_Nullable types);
int PQsendQueryPrepared(
    PGconn *_Nonnull connection, const char *_Nonnull name, int count, const char *_Nullable const *_Nullable values,
    const int *_Nullable lengths, const int *_Nullable formats, int result_format);
int PQsendQueryParams(
    PGconn *_Nonnull connection, const char *_Nonnull text, int count, const Oid *_Nullable types,
    const char *_Nullable const *_Nullable values, const int *_Nullable lengths, const int *_Nullable formats,
    int result_format);

PGresult *_Nullable PQgetResult(PGconn *_Nonnull connection);
int PQresultStatus(const PGresult *_Nonnull result);
char *_Nullable PQresultErrorField(const PGresult *_Nonnull result, int field);
char *_Nonnull PQcmdStatus(PGresult *_Nonnull result);
char *_Nonnull PQcmdTuples(PGresult *_Nonnull result);
int PQntuples(const PGresult *_Nonnull result);
int PQnfields(const PGresult *_Nonnull result);
Oid PQftype(const PGresult *_Nonnull result, int column);
int PQgetisnull(const PGresult *_Nonnull result, int row, int column);
int PQgetlength(const PGresult *_Nonnull result, int row, int column);
char *_Nullable PQgetvalue(const PGresult *_Nonnull result, int row, int column);
void PQclear(PGresult *_Nullable result);

#endif

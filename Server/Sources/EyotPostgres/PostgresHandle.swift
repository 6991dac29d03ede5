import CPq
import EyotStore
import Foundation

/// A connection of libpq in pipeline mode: statements are queued, sent together, and answered in order.
///
/// It is used by one thread at a time. All calls block.
final class PostgresHandle {
    /// How many statements are queued before they are sent. Their answers then fit into the buffers of the system, so
    /// that neither side waits for the other to read.
    private static let mostQueued = 256

    /// Milliseconds after which bytes without an acknowledgement end a connection.
    private static let unacknowledged = "5000"

    let connection: OpaquePointer
    /// The statements with answers that have not been read: for each the table of which it must change one row, and nil
    /// if it may change any number.
    private var queued: [String?] = []
    /// The first error among the answers of queued statements.
    private var error: StoreError?
    /// Whether a queued statement has failed. Its error came with a later one.
    var hasFailedLate = false
    /// Statements that were sent, and waits for their answers, for measurements.
    private(set) var statements = 0
    private(set) var roundTrips = 0

    /// Whether the server did not know a statement that it had prepared, or knew one of that name already.
    private(set) var hasLostStatement = false

    /// Connects to the first host of the URL that takes the connection.
    ///
    /// A file with passwords is read each time.
    ///
    /// - Throws: ``StoreError/unreachable(_:_:)``. Its text has no password.
    init(_ url: PostgresURL, application: String) throws {
        if let reason = pq_load() { throw StoreError.unsupported(String(cString: reason)) }
        // What comes before the URL is a default, and what comes after it is fixed.
        let parameters: [(String, String)] = [
            ("connect_timeout", "5"), ("tcp_user_timeout", Self.unacknowledged), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("application_name", application),
            ("dbname", url.text), ("client_encoding", "UTF8"),
        ]
        let opened = Self.withCStrings(parameters.map(\.0)) { words in
            Self.withCStrings(parameters.map(\.1)) { values in PQconnectdbParams(words, values, 1) }
        }
        guard let opened else { throw StoreError.unreachable(.unreachable, "no memory") }
        connection = opened
        // Notices go nowhere. The program asks for what it wants to know.
        PQsetNoticeProcessor(connection, { _, _ in }, nil)
        if !isOpen { try connectAgain() }
        guard PQenterPipelineMode(connection) == 1 else { throw StoreError.unreachable(.unreachable, message) }
    }

    /// Connects once more after a refusal. A second refusal gives the code of the error, and the first one only a text
    /// in the server's language.
    private func connectAgain() throws {
        let said = message
        if let fault = ConnectionFault(saidByLibrary: said) { throw StoreError.unreachable(fault, said) }
        PQsetErrorVerbosity(connection, Int32(PQERRORS_SQLSTATE))
        PQreset(connection)
        guard isOpen else {
            let words = String(cString: PQerrorMessage(connection))
            throw StoreError.unreachable(ConnectionFault(saidByServers: words), said)
        }
        PQsetErrorVerbosity(connection, Int32(PQERRORS_DEFAULT))
    }

    /// Passes texts as C has lists of them, with nothing at the end.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var list: [UnsafePointer<CChar>?] = copies.map { copy in copy.map { UnsafePointer($0) } }
        list.append(nil)
        return list.withUnsafeBufferPointer { body($0.baseAddress) }
    }

    deinit { PQfinish(connection) }

    var isOpen: Bool { PQstatus(connection) == Int32(CONNECTION_OK) }

    /// The version of the server, such as 150018 for 15.18.
    var serverVersion: Int { Int(PQserverVersion(connection)) }

    /// The number of the server's process. A pooler names a number of its own.
    var process: Int64 { Int64(PQbackendPID(connection)) }

    /// The socket, to wait for notifications. It is closed with this value.
    var socket: Int32 { PQsocket(connection) }

    /// Reads what has come, and returns the processes that have notified.
    ///
    /// - Throws: ``StoreError/connectionLost(_:)``.
    func notifiers() throws -> [Int64] {
        guard PQconsumeInput(connection) == 1 else { throw StoreError.connectionLost(message) }
        var found: [Int64] = []
        while let notification = PQnotifies(connection) {
            found.append(Int64(notification.pointee.be_pid))
            PQfreemem(notification)
        }
        return found
    }

    /// Whether a statement of the transaction has failed, among those with answers that were read.
    var hasFailedStatement: Bool { PQtransactionStatus(connection) == Int32(PQTRANS_INERROR) }

    /// What libpq says, on one line. It says the same twice if it tries with TLS and without it.
    var message: String {
        var parts: [String] = []
        for line in String(cString: PQerrorMessage(connection)).split(whereSeparator: \.isNewline) {
            let part = line.trimmingCharacters(in: .whitespaces)
            if !parts.contains(part) { parts.append(part) }
        }
        return parts.joined(separator: "; ")
    }

    /// Queues the preparation of a statement.
    func prepare(_ name: String, _ text: String, _ types: [PostgresType]) throws {
        let types = types.map(\.rawValue)
        try sent(PQsendPrepare(connection, name, text, Int32(types.count), types))
        answerLater()
    }

    /// Queues a prepared statement.
    func send(prepared name: String, _ parameters: PostgresParameters) throws {
        try sent(
            parameters.withPointers {
                PQsendQueryPrepared(connection, name, $0.count, $0.values, $0.lengths, $0.formats, 1)
            })
    }

    /// Queues a statement that is parsed each time.
    func send(_ text: String, _ parameters: PostgresParameters) throws {
        let types = parameters.types.map(\.rawValue)
        try sent(
            parameters.withPointers {
                PQsendQueryParams(connection, text, $0.count, types, $0.values, $0.lengths, $0.formats, 1)
            })
    }

    private func sent(_ result: Int32) throws {
        guard result == 1 else { throw StoreError.connectionLost(message) }
        statements += 1
    }

    /// Leaves the answer of the statement that was queued last for the next wait.
    ///
    /// An error among such answers is thrown by the next ``answer()`` or ``settle()``.
    ///
    /// - Parameter table: The table of which it must change one row; nil if it may change any number.
    func answerLater(changingRowOf table: String? = nil) { queued.append(table) }

    /// Whether a queued statement must have changed a row.
    var awaitsRows: Bool { queued.contains { $0 != nil } }

    /// Sends what is queued if it is much, and reads the answers.
    func bound() throws {
        if queued.count >= Self.mostQueued { try settle() }
    }

    /// Sends everything, and waits for the answer to the statement that was queued last.
    ///
    /// - Throws: The first error, of this statement or of an earlier one.
    func answer() throws -> PostgresResult {
        let result = try exchange(withLast: true)
        if let error = takeError() { throw error }
        guard let result else { throw StoreError.connectionLost("the server sent no answer") }
        return result
    }

    /// Sends everything, and waits for all answers.
    func settle() throws {
        if !queued.isEmpty { _ = try exchange(withLast: false) }
        if let error = takeError() { throw error }
    }

    private func takeError() -> StoreError? {
        defer { error = nil }
        return error
    }

    /// Sends everything, and reads the answers to what is queued.
    ///
    /// - Parameter hasLast: Whether a statement follows those that are queued.
    /// - Returns: The answer to that statement; nil if it is an error, which is kept.
    private func exchange(withLast hasLast: Bool) throws -> PostgresResult? {
        guard PQpipelineSync(connection) == 1 else { throw StoreError.connectionLost(message) }
        roundTrips += 1
        let tables = queued
        queued.removeAll(keepingCapacity: true)
        for table in tables {
            guard let answer = try nextAnswer(), let table, answer.changedRows != 1, error == nil else { continue }
            error = .rowMissing(table: table)
        }
        if error != nil { hasFailedLate = true }
        let last = hasLast ? try nextAnswer() : nil
        // The answer to the end of the pipeline. Nothing comes after it.
        guard let end = PQgetResult(connection) else { throw StoreError.connectionLost(message) }
        PQclear(end)
        return last
    }

    private func nextAnswer() throws -> PostgresResult? {
        guard let handle = PQgetResult(connection) else { throw StoreError.connectionLost(message) }
        let result = PostgresResult(handle)
        // An answer ends with nothing. It is lost together with the connection.
        while let further = PQgetResult(connection) { PQclear(further) }
        switch result.status {
        case .done: return result
        case .skipped: break
        case .failed, .copying:
            let found =
                isOpen || result.errorCode != nil
                ? StoreError.postgres(code: result.errorCode, message: result.errorMessage ?? message)
                : StoreError.connectionLost(message)
            if StoreError.isLostStatement(result.errorCode) { hasLostStatement = true }
            if error == nil { error = found }
        }
        return nil
    }
}

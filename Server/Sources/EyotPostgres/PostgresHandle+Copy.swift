import CPq
import EyotStore

/// A COPY that the server refused.
struct CopyRefusal: Error {
    var error: StoreError
    /// The message of the server, without values.
    var message: String
    /// The row among those that were sent, from 1 on; nil if the server named none.
    var row: Int?
}

extension PostgresHandle {
    /// Sends rows to a `COPY … FROM STDIN`, and waits for their end.
    ///
    /// - Parameter parts: The bytes in the form that the statement names, in their order.
    /// - Throws: ``CopyRefusal``, and ``StoreError`` if the connection is lost.
    func copyIn(_ statement: String, _ parts: [UnsafeRawBufferPointer]) throws {
        try outsidePipeline {
            try beginCopy(statement)
            for part in parts {
                let bytes = part.bindMemory(to: CChar.self)
                guard PQputCopyData(connection, bytes.baseAddress, Int32(bytes.count)) == 1 else {
                    throw StoreError.connectionLost(message)
                }
            }
            guard PQputCopyEnd(connection, nil) == 1 else { throw StoreError.connectionLost(message) }
            try endCopy()
        }
    }

    /// Reads the rows of a `COPY … TO STDOUT`, in pieces as the server sends them.
    ///
    /// - Throws: ``CopyRefusal``, ``StoreError`` if the connection is lost, and the errors of the body. After such an
    ///   error the connection is of no more use.
    func copyOut(_ statement: String, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        try outsidePipeline {
            try beginCopy(statement)
            while true {
                var bytes: UnsafeMutablePointer<CChar>?
                let count = PQgetCopyData(connection, &bytes, 0)
                guard count >= 0, let bytes else { break }
                defer { PQfreemem(bytes) }
                try body(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            }
            try endCopy()
        }
    }

    /// The protocol has no COPY among the statements of a pipeline.
    private func outsidePipeline(_ body: () throws -> Void) throws {
        try settle()
        guard PQexitPipelineMode(connection) == 1 else { throw StoreError.failed(message) }
        try body()
        guard PQenterPipelineMode(connection) == 1 else { throw StoreError.connectionLost(message) }
    }

    private func beginCopy(_ statement: String) throws {
        guard let answer = PQexec(connection, statement) else { throw StoreError.connectionLost(message) }
        let result = PostgresResult(answer)
        guard result.status == .copying else { throw refusal(result) }
    }

    private func endCopy() throws {
        var refused: CopyRefusal?
        while let answer = PQgetResult(connection) {
            let result = PostgresResult(answer)
            if result.status != .done, refused == nil { refused = refusal(result) }
        }
        if let refused {
            guard isOpen, PQenterPipelineMode(connection) == 1 else { throw refused.error }
            throw refused
        }
    }

    private func refusal(_ result: PostgresResult) -> CopyRefusal {
        let text = result.errorMessage ?? message
        return CopyRefusal(
            error: .postgres(code: result.errorCode, message: text), message: text, row: result.errorRow)
    }
}

/// Finds the rows in the bytes that a binary `COPY … TO STDOUT` sends.
///
/// The stream begins with a head, and each row has the form of ``RowBytes``. A piece of the stream need not end with a
/// row.
struct CopiedRows {
    /// The first bytes of the head, which also find damage by programs that change line ends.
    private static let signature = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
    /// The bytes of the head: the signature, flags, and the length of an extension, which is 0.
    static let head = signature + [UInt8](repeating: 0, count: 8)
    /// What comes in place of a row's number of columns at the end.
    static let end: [UInt8] = [0xFF, 0xFF]

    private let columns: Int
    private var rest: [UInt8] = []
    private var hasHead = false
    /// Whether the end of the stream has come.
    private(set) var isComplete = false

    init(columns: Int) { self.columns = columns }

    /// Consumes the next piece.
    ///
    /// - Throws: ``StoreError`` if the bytes have another form; and the errors of the body.
    mutating func consume(_ piece: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        rest.append(contentsOf: piece)
        if !hasHead {
            guard rest.count >= Self.head.count else { return }
            guard rest.starts(with: Self.head) else { throw StoreError.failed("the server sent another form of rows") }
            rest.removeFirst(Self.head.count)
            hasHead = true
        }
        let used = try rest.withUnsafeBytes { bytes in
            var place = 0
            while !isComplete, let length = try length(of: UnsafeRawBufferPointer(rebasing: bytes[place...])) {
                if length > 0 { try body(UnsafeRawBufferPointer(rebasing: bytes[place..<(place + length)])) }
                place += length
            }
            return place
        }
        rest.removeFirst(used)
    }

    /// The length of the first row; nil if it is not whole yet, and 0 at the end.
    private mutating func length(of bytes: UnsafeRawBufferPointer) throws -> Int? {
        guard bytes.count >= 2 else { return nil }
        let count = Int(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        guard count >= 0 else {
            isComplete = true
            return 0
        }
        guard count == columns else { throw StoreError.failed("the server sent rows with \(count) columns") }
        var place = 2
        for _ in 0..<count {
            guard bytes.count >= place + 4 else { return nil }
            place += 4 + max(0, Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self))))
        }
        return bytes.count >= place ? place : nil
    }
}

import APNSWire
import EyotContract
import EyotDomain

/// The columns of one row, read in the order in which they were selected.
///
/// A value of another kind than expected is an error and not a crash, because another program may have written the
/// file.
package struct SQLColumns {
    private let row: any SQLRow
    private var next = 0

    package init(_ row: any SQLRow) { self.row = row }

    package mutating func optionalNumber() throws -> Int64? {
        if let number = row.number(at: next) {
            next += 1
            return number
        }
        guard take() == nil else { throw unreadable("a number") }
        return nil
    }

    package mutating func optionalText() throws -> String? {
        switch take() {
        case nil: nil
        case .text(let text): text
        case .integer, .blob, .null: throw unreadable("text")
        }
    }

    package mutating func optionalBytes() throws -> [UInt8]? {
        switch take() {
        case nil: nil
        case .blob(let bytes): bytes
        case .integer, .text, .null: throw unreadable("bytes")
        }
    }

    private mutating func take() -> SQLValue? {
        defer { next += 1 }
        return row.value(at: next)
    }

    func unreadable(_ expected: String) -> StoreError {
        .unreadable(column: next, expected: expected)
    }

    private func required<Value>(_ value: Value?, _ expected: String) throws -> Value {
        guard let value else { throw unreadable(expected) }
        return value
    }
}

extension SQLColumns {
    package mutating func number() throws -> Int64 { try required(optionalNumber(), "a number") }
    package mutating func text() throws -> String { try required(optionalText(), "text") }
    package mutating func bytes() throws -> [UInt8] { try required(optionalBytes(), "bytes") }
    mutating func integer() throws -> Int { Int(try number()) }
    mutating func optionalInteger() throws -> Int? { try optionalNumber().map(Int.init) }
    package mutating func flag() throws -> Bool { try number() != 0 }
    mutating func moment() throws -> Instant { Instant(microseconds: try number()) }
    mutating func optionalMoment() throws -> Instant? { try optionalNumber().map(Instant.init(microseconds:)) }

    /// A word of a closed list.
    mutating func word<Word: RawRepresentable<String>>(_ type: Word.Type = Word.self) throws -> Word {
        try required(Word(rawValue: text()), "one of \(Word.self)")
    }

    mutating func optionalWord<Word: RawRepresentable<String>>(_ type: Word.Type = Word.self) throws -> Word? {
        try optionalText().map { try required(Word(rawValue: $0), "one of \(Word.self)") }
    }

    /// A reason of Apple, stored as Apple spells it.
    mutating func optionalReason() throws -> APNSReason? { try optionalText().map(APNSReason.init(name:)) }

    mutating func optionalJSON() throws -> JSONValue? {
        try optionalText().map { text in
            guard let value = try? JSONValue(parsing: Array(text.utf8)) else { throw unreadable("JSON") }
            return value
        }
    }

    /// The ids of a request, in two columns.
    mutating func requestID() throws -> RequestID? {
        let (own, callers) = (try optionalText(), try optionalText())
        return own.map { RequestID($0, callers: callers) }
    }

    mutating func json() throws -> JSONValue { try required(optionalJSON(), "JSON") }

    mutating func token() throws -> PushToken { try required(optionalToken(), "a token") }

    mutating func optionalToken() throws -> PushToken? {
        try optionalBytes().map { try required(PushToken(bytes: $0), "a token") }
    }
}

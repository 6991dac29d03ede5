import EyotContract
import EyotDomain

/// The place of an error in a body, as Airship gives it: counted from 1.
struct AirshipLocation: Equatable {
    var line: Int
    var column: Int

    var json: JSONValue { ["line": .integer(line), "column": .integer(column)] }

    /// Finds the place of a JSON error. Nil for other errors, because their path says enough.
    init?(of error: EyotError, in body: [UInt8]) {
        guard error.code == .jsonInvalid else { return nil }
        do throws(JSONSyntaxError) {
            _ = try JSONValue(parsing: body)
            return nil
        } catch {
            self.init(offset: error.offset ?? body.count, in: body)
        }
    }

    init(offset: Int, in body: [UInt8]) {
        let before = body.prefix(offset)
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        column = 1 + before.reversed().prefix { $0 != UInt8(ascii: "\n") }.count
    }
}

extension JSONSyntaxError {
    /// The byte at which parsing stopped; nil at the end, or if the place is not known.
    fileprivate var offset: Int? {
        switch self {
        case .unexpectedByte(let offset), .invalidNumber(let offset), .invalidString(let offset),
            .invalidUTF8(let offset), .duplicateMember(_, let offset), .trailingBytes(let offset):
            offset
        case .unexpectedEnd, .tooDeep: nil
        }
    }
}

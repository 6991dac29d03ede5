import EyotDomain
import HTTPTypes
import Hummingbird

/// Reads a body up to its limit. Bytes beyond it are not kept, whether the body comes whole or in chunks.
package struct BodyReader: Sendable {
    /// A failure of the connection while the body is read. No answer can be sent then.
    struct Interruption: Error {
        var underlying: any Error
    }

    /// The content type of one JSON value a line.
    package static let lines = "application/x-ndjson"

    private let limit: Int
    private let types: Set<String>

    /// - Parameters:
    ///   - limit: in bytes.
    ///   - types: the allowed content types.
    package init(limit: Int, types: Set<String> = ["application/json"]) {
        self.limit = limit
        self.types = types
    }

    /// Returns the body's content type from the headers, without parameters.
    static func type(in headers: HTTPFields) -> String {
        parts(of: headers[.contentType] ?? "")[0]
    }

    /// The type, and its parameters behind it.
    private static func parts(of header: String) -> [String] {
        header[...].split(atByte: ";").map { part in
            let bytes = part.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\"") }
            return String(decoding: bytes, as: UTF8.self).lowercased()
        }
    }

    /// Checks the headers before the body is read. JSON is UTF-8, and another charset is refused instead of misread.
    func check(_ headers: HTTPFields) throws(EyotError) {
        try checkEncoding(headers)
        let header = headers[.contentType]
        let parts = Self.parts(of: header ?? "")
        guard types.contains(parts[0]),
            parts.dropFirst().allSatisfy({ !$0.hasPrefix("charset=") || $0 == "charset=utf-8" })
        else {
            throw EyotError(
                .contentTypeUnsupported,
                "the body is \(header ?? "of no declared type"), not \(types.sorted().joined(separator: " or ")) in UTF-8",
                field: "Content-Type")
        }
        try checkLength(headers)
    }

    /// Refuses a compressed body by its header (RFC 9110, 15.5.16). Otherwise it would be read as text that is not
    /// JSON.
    private func checkEncoding(_ headers: HTTPFields) throws(EyotError) {
        guard let encoding = headers[.contentEncoding], encoding.lowercased().filter({ $0 != " " }) != "identity",
            !encoding.isEmpty
        else { return }
        throw EyotError(
            .contentEncodingUnsupported, "the body is encoded as \(encoding); send it without Content-Encoding",
            field: "Content-Encoding")
    }

    /// Reads the body, and checks its size regardless of the headers.
    ///
    /// - Parameters:
    ///   - holder: the call that the body belongs to.
    ///   - budget: holds the bytes that are returned. The caller releases them.
    func read<Parts: AsyncSequence>(
        _ parts: Parts, for holder: BodyHolder = .control(nil), holding budget: BodyBudget = BodyBudget(limit: 0)
    ) async throws -> [UInt8] where Parts.Element == ByteBuffer {
        var body: [UInt8] = []
        do {
            for try await part in parts {
                guard body.count + part.readableBytes <= limit else { throw tooLarge }
                try budget.reserve(part.readableBytes, for: holder)
                body += part.readableBytesView
            }
        } catch {
            budget.release(body.count, of: holder)
            throw error as? EyotError ?? Interruption(underlying: error)
        }
        return body
    }

    /// Reads a body that the call does not take, and keeps nothing of it. The call is not carried out before its body
    /// has ended, because a body that breaks off is answered with an error.
    static func drop<Parts: AsyncSequence>(_ parts: Parts, _ headers: HTTPFields) async throws
    where Parts.Element == ByteBuffer {
        let reader = BodyReader(limit: droppedBytes)
        try reader.checkLength(headers)
        var count = 0
        do {
            for try await part in parts {
                count += part.readableBytes
                guard count <= droppedBytes else { throw reader.tooLarge }
            }
        } catch {
            throw error as? EyotError ?? Interruption(underlying: error)
        }
    }

    /// The most bytes of a body that a call does not take.
    private static let droppedBytes = 64 * 1_024

    private func checkLength(_ headers: HTTPFields) throws(EyotError) {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    }

    private var tooLarge: EyotError { EyotError(.bodyTooLarge, "this call accepts at most \(limit) bytes") }
}

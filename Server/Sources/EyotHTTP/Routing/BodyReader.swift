import EyotDomain
import HTTPTypes
import Hummingbird

/// Takes a body in, up to its limit: what is over it is not kept, however it is sent.
package struct BodyReader: Sendable {
    /// The connection failed while the body came in: nobody is there to answer.
    struct Interruption: Error {
        var underlying: any Error
    }

    /// JSON, a value a line.
    package static let lines = "application/x-ndjson"

    private let limit: Int
    private let types: Set<String>

    /// - Parameters:
    ///   - limit: in bytes.
    ///   - types: what the body may be declared as.
    package init(limit: Int, types: Set<String> = ["application/json"]) {
        self.limit = limit
        self.types = types
    }

    /// What the headers say that the body is, without its parameters.
    static func type(in headers: HTTPFields) -> String {
        let type = (headers[.contentType] ?? "").split(separator: ";", omittingEmptySubsequences: false).first ?? ""
        return type.filter { $0 != " " && $0 != "\"" }.lowercased()
    }

    /// Judges by what the headers say, before anything is read. JSON is UTF-8; another charset is refused rather than
    /// misread.
    func check(_ headers: HTTPFields) throws(EyotError) {
        try checkEncoding(headers)
        let header = headers[.contentType]
        let parts = (header ?? "").split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" }.lowercased() }
        guard types.contains(Self.type(in: headers)),
            parts.dropFirst().allSatisfy({ !$0.hasPrefix("charset=") || $0 == "charset=utf-8" })
        else {
            throw EyotError(
                .contentTypeUnsupported,
                "the body is \(header ?? "of no declared type"), not \(types.sorted().joined(separator: " or ")) in UTF-8",
                field: "Content-Type")
        }
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
    }

    /// A compressed body would be read as text that is no JSON, so it is refused by its header (RFC 9110, 15.5.16).
    private func checkEncoding(_ headers: HTTPFields) throws(EyotError) {
        guard let encoding = headers[.contentEncoding], encoding.lowercased().filter({ $0 != " " }) != "identity",
            !encoding.isEmpty
        else { return }
        throw EyotError(
            .contentEncodingUnsupported, "the body is encoded as \(encoding); send it without Content-Encoding",
            field: "Content-Encoding")
    }

    /// Reads what comes, whatever the headers said.
    ///
    /// - Parameter budget: holds the bytes that are returned. The caller releases them.
    package func read<Parts: AsyncSequence>(
        _ parts: Parts, holding budget: BodyBudget = BodyBudget(limit: 0)
    ) async throws -> [UInt8] where Parts.Element == ByteBuffer {
        var body: [UInt8] = []
        do {
            for try await part in parts {
                guard body.count + part.readableBytes <= limit else { throw tooLarge }
                try budget.reserve(part.readableBytes)
                body += part.readableBytesView
            }
        } catch {
            budget.release(body.count)
            throw error as? EyotError ?? Interruption(underlying: error)
        }
        return body
    }

    private var tooLarge: EyotError { EyotError(.bodyTooLarge, "this call takes at most \(limit) bytes") }
}

import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// One of many declarations in a body. Its members include the name, the verb and the headers of a single call.
struct DeclarationLine: Sendable {
    /// The most bytes of one line.
    static let bytes = 64 * 1_024

    var name: String
    var verb: DeclarationRequest.Verb
    var match: VersionMatch?
    var idempotency: Idempotency?
    /// The members of the declaration itself.
    var body: JSONValue

    /// - Parameters:
    ///   - number: the number of the line, from 1.
    ///   - call: the request that contains the line.
    /// - Throws: ``EyotError`` if the line is not a declaration.
    init(_ bytes: [UInt8], number: Int, of call: Call) throws {
        guard bytes.count <= Self.bytes else {
            throw EyotError(.bodyTooLarge, "a line has at most \(Self.bytes) bytes")
        }
        var object: JSONObject
        var key: String?
        do {
            let json = try ReceivedJSON.value(bytes, of: "the line")
            var fields = try JSONFields(json)
            name = try fields.required("name", fields.string("name"))
            let word = try fields.required("verb", fields.string("verb"))
            guard let verb = DeclarationRequest.Verb(rawValue: word) else {
                let words = DeclarationRequest.Verb.allCases.map(\.rawValue).joined(separator: ", ")
                throw fields.invalid("verb", "must be one of \(words)")
            }
            self.verb = verb
            match = try fields.string("ifMatch").map { try Call.match($0, at: "ifMatch") }
            key = try fields.string("idempotencyKey")
            object = json.object ?? JSONObject()
        } catch let error as JSONFieldError {
            throw EyotError(error)
        }
        for own in ["name", "verb", "ifMatch", "idempotencyKey"] { object[own] = nil }
        body = .object(object)
        idempotency = try Self.idempotency(key, bytes, number, of: call)
    }

    /// Returns the idempotency key of a line. A line's own key works like the key of a single call. Otherwise the key
    /// is the request's key and the line's number, with a space between them. No key of a caller contains a space.
    private static func idempotency(
        _ key: String?, _ bytes: [UInt8], _ number: Int, of call: Call
    ) throws -> Idempotency? {
        let parts = [Array(call.method.rawValue.utf8), Array(call.path.utf8), bytes]
        if let key { return try Idempotency(key: key, of: parts) }
        guard let request = call.headers[.idempotencyKey] else { return nil }
        let whole = try Idempotency(key: request, of: parts)
        return Idempotency(key: "\(request) \(number)", digest: whole.digest)
    }
}

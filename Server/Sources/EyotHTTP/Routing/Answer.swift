import EyotContract
import EyotDomain
import HTTPTypes

/// What a route answers.
package struct Answer: Sendable {
    package var status: HTTPResponse.Status
    /// Nil is no body at all.
    package var json: JSONValue?
    /// A body of a line of JSON each, in place of ``json``.
    var lines: [JSONValue]?
    /// Without a content type it has its plane's.
    package var headers: HTTPFields = [:]
    /// What a repetition is answered in its place; nil is this answer again.
    var repetition: EyotError?
    /// How the caller stands with the limits, where more was counted than the call itself.
    var standing: RateStanding?
    /// What was made, for the audit log, where the path does not name it.
    var made: String?
    /// The record of the change that the call has made; nil where it has made none now.
    var recorded: AuditEntry?

    package init(_ status: HTTPResponse.Status = .ok, _ json: JSONValue?) {
        self.status = status
        self.json = json
    }

    /// A failure that is an answer all the same, since what led to it is kept.
    init(_ problem: Problem) { self = OwnPlane().answer(to: problem, body: []) }

    /// Adds a member to a body that is an object.
    mutating func add(_ name: String, _ value: JSONValue) {
        guard var object = json?.object else { return }
        object[name] = value
        json = .object(object)
    }

    /// What is sent; nil is no body at all.
    var body: [UInt8]? { lines.map { $0.flatMap { $0.utf8 + [UInt8(ascii: "\n")] } } ?? json?.utf8 }

    /// The entity tag of an activity.
    mutating func tag(generation: Int, version: Int) {
        headers[.eTag] = "\"\(VersionTag(generation: generation, version: version).text)\""
    }
}

/// An error on its way to the caller; our own plane writes it as problem+json (RFC 9457).
package struct Problem: Error, Sendable {
    package var error: EyotError
    package var headers: HTTPFields = [:]

    package init(_ error: EyotError) { self.error = error }

    package var status: HTTPResponse.Status { HTTPResponse.Status(code: error.code.status) }

    var json: JSONValue {
        var object = error.code.entry
        object["detail"] = .string(error.detail)
        object["field"] = error.field.map(JSONValue.string)
        return .object(object)
    }

    static let contentType = "application/problem+json"
}

extension EyotError.Code {
    /// The code as it stands in the catalogue and in every problem.
    var entry: JSONObject {
        JSONObject([
            ("type", .string("/v1/errors/\(rawValue)")), ("title", .string(title)), ("status", .integer(status)),
            ("code", .string(rawValue)), ("cause", .string(cause)), ("remedy", .string(remedy)),
        ])
    }

    /// The code's words: `Payload too large`.
    private var title: String {
        var title = ""
        for (index, character) in rawValue.enumerated() {
            if index > 0, character.isUppercase { title += " " }
            title += index == 0 ? character.uppercased() : character.lowercased()
        }
        return title
    }
}

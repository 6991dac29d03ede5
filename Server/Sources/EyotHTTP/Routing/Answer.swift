import EyotContract
import EyotDomain
import HTTPTypes

/// What a route answers.
package struct Answer: Sendable {
    var status: HTTPResponse.Status
    /// Nil is no body at all.
    var json: JSONValue?
    var headers: HTTPFields = [:]
    /// What a repetition is answered in its place; nil is this answer again.
    var repetition: EyotError?

    init(_ status: HTTPResponse.Status = .ok, _ json: JSONValue?) {
        self.status = status
        self.json = json
    }

    init(_ problem: Problem) {
        self.init(problem.status, problem.json)
        headers = problem.headers
    }

    var contentType: String { status.code >= 400 ? Problem.contentType : "application/json" }

    /// The entity tag of an activity.
    mutating func tag(generation: Int, version: Int) {
        headers[.eTag] = "\"\(VersionTag(generation: generation, version: version).text)\""
    }
}

/// An error on its way to the caller, as problem+json (RFC 9457).
struct Problem: Error, Sendable {
    var error: EyotError
    var headers: HTTPFields = [:]

    init(_ error: EyotError) { self.error = error }

    var status: HTTPResponse.Status { HTTPResponse.Status(code: error.code.status) }

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

import EyotContract
import EyotDomain
import HTTPTypes

/// The answer of a route.
package struct Answer: Sendable {
    package var status: HTTPResponse.Status
    /// Nil means no body.
    package var json: JSONValue?
    /// A body of one JSON value a line, instead of ``json``.
    package var lines: [JSONValue]?
    /// A body that is sent bit by bit, instead of ``json``, until it ends or the caller leaves.
    package var stream: (any AsyncSequence<[UInt8], any Error> & Sendable)?
    /// A body that is no JSON, instead of ``json``.
    package var text: String?
    /// Headers. If they have no content type, the plane's is used.
    package var headers: HTTPFields = [:]
    /// The error that a repetition gets instead; nil means this answer again.
    var repetition: EyotError?
    /// The state of the limits, if more was counted than the call itself.
    var standing: RateStanding?
    /// The name of what was created, for the audit log, if the path does not name it.
    var made: String?
    /// The record of the change that the call made; nil if it made none now.
    var recorded: AuditEntry?
    /// Errors of the server behind a part of the answer, for the log.
    var faults: [any Error] = []

    package init(_ status: HTTPResponse.Status = .ok, _ json: JSONValue?) {
        self.status = status
        self.json = json
    }

    /// Makes an answer that names the build of the server in its headers.
    init(_ status: HTTPResponse.Status, _ json: JSONValue?, by build: BuildDescription) {
        self.init(status, json)
        headers[.server] = build.header
    }

    /// Makes an answer from a failure. Unlike a thrown error, it keeps the changes that led to it.
    init(_ problem: Problem) { self = OwnPlane().answer(to: problem, body: []) }

    /// Where the next page of an answer in lines begins; nil for other answers.
    package var next: String? { headers[EventRoutes.next] }

    /// Adds a member to a body that is an object.
    mutating func add(_ name: String, _ value: JSONValue) {
        guard var object = json?.object else { return }
        object[name] = value
        json = .object(object)
    }

    /// The bytes that are sent; nil means no body.
    var body: [UInt8]? {
        if let text { return Array(text.utf8) }
        return lines.map { $0.flatMap { $0.utf8 + [UInt8(ascii: "\n")] } } ?? json?.utf8
    }

    /// Sets the entity tag of an activity.
    mutating func tag(generation: Int, version: Int) {
        headers[.eTag] = "\"\(VersionTag(generation: generation, version: version).text)\""
    }
}

/// An error on its way to the caller. Eyot's own plane writes it as problem+json (RFC 9457).
package struct Problem: Error, Sendable {
    package var error: EyotError
    /// The limit that refused the call, by its name in metrics; nil for the others.
    var limit: String?
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
    /// The members of the code in the catalogue and in every problem.
    var entry: JSONObject {
        JSONObject([
            ("type", .string("/v1/errors/\(rawValue)")), ("title", .string(title)), ("status", .integer(status)),
            ("code", .string(rawValue)), ("cause", .string(cause)), ("remedy", .string(remedy)),
        ])
    }

    /// The code as words: `Payload too large`.
    private var title: String {
        var title = ""
        for (index, character) in rawValue.enumerated() {
            if index > 0, character.isUppercase { title += " " }
            title += index == 0 ? character.uppercased() : character.lowercased()
        }
        return title
    }
}

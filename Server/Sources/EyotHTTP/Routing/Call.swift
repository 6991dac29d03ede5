import EyotCommands
import EyotContract
import EyotDomain
import Foundation
import HTTPTypes
import NIOCore

/// One request, authenticated and read, as a route receives it.
package struct Call: Sendable {
    /// The caller.
    enum Credentials: Sendable {
        case nobody
        case key(Caller)
        case app(App)
        case device(Device)
    }

    package var method: HTTPRequest.Method
    /// The path exactly as in the request.
    package var path: String
    package var parameters: [String: String]
    package var query: [String: String]
    package var headers: HTTPFields
    var credentials: Credentials
    /// The caller's address; nil if it is not known.
    var address: SocketAddress?
    /// Where it comes from, for routes that sign members in.
    package var origin = CallOrigin()
    /// The host and the port that the caller asked for; nil if it named none.
    package var host: String?
    package var body: [UInt8] = []
    /// The device that registers again, if its secret proves it.
    var registered: Device?
    /// The time of the request.
    package var now: Instant
    /// The trace that the call belongs to; nil if it is not recorded.
    package var trace: TraceContext?
    /// Builds of the activity that no card has any more, if the schema check asked for them.
    package var buildsGone: Set<String> = []

    // MARK: Who

    /// The caller, if it is one of the control plane.
    package var caller: Caller {
        get throws {
            guard case .key(let caller) = credentials else { throw EyotError(.keyMissing, "the call carries no key") }
            return caller
        }
    }

    /// The app that the call is about.
    package var app: App {
        get throws {
            switch credentials {
            case .key(let caller): try caller.requiredApp()
            case .app(let app): app
            case .nobody, .device: throw EyotError(.keyMissing, "the call carries no key")
            }
        }
    }

    // MARK: What

    /// Returns a segment of the path.
    package func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw EyotError(.routeUnknown, "the path has no \(name)") }
        return value
    }

    /// Returns the type that the path names.
    func type() throws -> String {
        let type = try parameter("type")
        try FieldRule.identifier.check(type, field: "type")
        return type
    }

    /// Parses a segment of the path, or a member of the query, as one of Eyot's numbers.
    static func number(_ text: String?) -> Int64? {
        // Only plain digits: `+1` and `01` would be other names of the same thing.
        text.flatMap { Int64($0) }.flatMap { String($0) == text && $0 >= 0 ? $0 : nil }
    }

    /// Whether the body comes in lines.
    var hasLines: Bool { BodyReader.type(in: headers) == BodyReader.lines }

    /// The body as JSON.
    package func json() throws -> JSONValue { try ReceivedJSON.value(body, of: "the body") }

    /// Reads the body's members with `read`, and refuses further ones.
    package func fields<Result>(_ read: (inout JSONFields) throws(JSONFieldError) -> Result) throws -> Result {
        let json = try json()
        do throws(JSONFieldError) {
            var fields = try JSONFields(json)
            let result = try read(&fields)
            try fields.finish()
            return result
        } catch {
            throw EyotError(error)
        }
    }

    // MARK: Dry runs

    /// The parameter for a dry run.
    static let dryRun = "dryRun"

    /// Whether the call is a dry run.
    var isDryRun: Bool {
        get throws {
            try flag(Self.dryRun)
        }
    }

    /// Returns a parameter of the query that is true or false; false if it is missing.
    func flag(_ name: String) throws -> Bool {
        switch query[name] {
        case nil, "false": false
        case "true": true
        default: throw EyotError(.fieldInvalid, "\(name) must be true or false", field: name)
        }
    }

    // MARK: Pages

    /// Returns how many rows are wanted: `limit` in the query.
    func limit(default standard: Int = 100, most: Int = 1_000) throws -> Int {
        guard let text = query["limit"] else { return standard }
        guard let limit = Self.number(text), (1...Int64(most)).contains(limit) else {
            throw EyotError(.fieldInvalid, "limit must be a whole number from 1 to \(most)", field: "limit")
        }
        return Int(limit)
    }

    /// Returns the number after which rows are wanted: `after` in the query, or 0.
    func after() throws -> Int64 {
        guard let text = query["after"] else { return 0 }
        guard let number = Self.number(text) else {
            throw EyotError(.fieldInvalid, "after must be the value of next in the previous answer", field: "after")
        }
        return number
    }

    /// Returns the number before which rows are wanted: `before` in the query; nil starts at the newest.
    func before() throws -> Int? {
        guard let text = query["before"] else { return nil }
        guard let number = Self.number(text) else {
            throw EyotError(.fieldInvalid, "before must be the value of next in the previous answer", field: "before")
        }
        return Int(number)
    }

    // MARK: Conditions

    /// Returns the condition of the call. `If-Match` takes one strong entity tag, a version alone, or `*`.
    /// `If-None-Match` takes only `*`.
    func match() throws -> VersionMatch? {
        if let text = headers[.ifNoneMatch] {
            guard text.trimmingCharacters(in: .whitespaces) == "*", headers[.ifMatch] == nil else {
                throw EyotError(
                    .fieldInvalid, "If-None-Match must be *, and cannot be combined with If-Match",
                    field: "If-None-Match")
            }
            return .nothing
        }
        return try headers[.ifMatch].map { try Self.match($0) }
    }

    /// Parses the text of an `If-Match`.
    ///
    /// - Parameter field: the name of the field, for the error.
    static func match(_ text: String, at field: String = "If-Match") throws -> VersionMatch {
        let quoted = text.trimmingCharacters(in: .whitespaces)
        if quoted == "*" { return .anything }
        if let version = Int(quoted) { return .version(version) }
        guard quoted.count > 2, quoted.hasPrefix("\""), quoted.hasSuffix("\""),
            !quoted.dropFirst().dropLast().contains("\"")
        else {
            throw EyotError(.fieldInvalid, "\(field) must be one entity tag, such as \"2-14\"", field: field)
        }
        return VersionMatch(String(quoted.dropFirst().dropLast()))
    }

    /// Returns the key and the digest that mark repetitions of this request, from `Idempotency-Key`.
    func idempotency() throws -> Idempotency? {
        guard let key = headers[.idempotencyKey] else { return nil }
        return try Idempotency(key: key, of: [Array(method.rawValue.utf8), Array(path.utf8), body])
    }
}

extension HTTPField.Name {
    package static func known(_ name: String) -> HTTPField.Name {
        guard let known = HTTPField.Name(name) else { preconditionFailure("\(name) is not a name of a header") }
        return known
    }

    /// The header with the operation that a vendor's call made.
    package static let operation = known("Eyot-Operation")
    static let idempotencyKey = known("Idempotency-Key")
    static let forwardedProto = known("X-Forwarded-Proto")
    static let app = known(Caller.appHeader)
    static let deviceSecret = known(DeviceHeader.secret)
    static let history = known(DeviceHeader.history)
    static let requestID = known("X-Request-Id")
}

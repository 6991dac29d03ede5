import EyotCommands
import EyotContract
import EyotDomain
import Foundation
import HTTPTypes
import NIOCore

/// One request, authenticated and read, as a route sees it.
package struct Call: Sendable {
    /// Who calls.
    enum Credentials: Sendable {
        case nobody
        case key(Caller)
        case app(App)
        case device(Device)
    }

    package var method: HTTPRequest.Method
    /// As it stands in the request.
    package var path: String
    package var parameters: [String: String]
    package var query: [String: String]
    package var headers: HTTPFields
    var credentials: Credentials
    /// Whence it comes; nil where that is not known.
    var address: SocketAddress?
    package var body: [UInt8] = []
    /// The phone that registers again, if its secret proves it.
    var registered: Device?
    /// When it came.
    package var now: Instant
    /// Builds of its activity that no card has any more, where that mattered.
    package var buildsGone: Set<String> = []

    // MARK: Who

    /// The control plane's caller.
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

    /// A segment of the path.
    package func parameter(_ name: String) throws -> String {
        guard let value = parameters[name] else { throw EyotError(.routeUnknown, "the path has no \(name)") }
        return value
    }

    /// The type that the path names.
    func type() throws -> String {
        let type = try parameter("type")
        try FieldRule.identifier.check(type, field: "type")
        return type
    }

    /// A segment of the path, or a member of the query, that is a number of ours.
    static func number(_ text: String?) -> Int64? {
        // Nothing but digits: `+1` and `01` would be other names of the same thing.
        text.flatMap { Int64($0) }.flatMap { String($0) == text && $0 >= 0 ? $0 : nil }
    }

    /// Whether the body comes in lines.
    var hasLines: Bool { BodyReader.type(in: headers) == BodyReader.lines }

    /// The body as JSON.
    package func json() throws -> JSONValue { try ReceivedJSON.value(body, of: "the body") }

    /// The body's members, read by `read`; further ones are refused.
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

    /// The parameter that asks what a call would do, without doing it.
    static let dryRun = "dryRun"

    /// Whether the call is only tried out.
    var isDryRun: Bool {
        get throws {
            try flag(Self.dryRun)
        }
    }

    /// A parameter of the query that is true or false, and false where it is missing.
    func flag(_ name: String) throws -> Bool {
        switch query[name] {
        case nil, "false": false
        case "true": true
        default: throw EyotError(.fieldInvalid, "\(name) must be true or false", field: name)
        }
    }

    // MARK: Pages

    /// How many rows are wanted, `limit` in the query.
    func limit(default standard: Int = 100, most: Int = 1_000) throws -> Int {
        guard let text = query["limit"] else { return standard }
        guard let limit = Self.number(text), (1...Int64(most)).contains(limit) else {
            throw EyotError(.fieldInvalid, "limit must be a whole number from 1 to \(most)", field: "limit")
        }
        return Int(limit)
    }

    /// The number after which rows are wanted, `after` in the query.
    func after() throws -> Int64 {
        guard let text = query["after"] else { return 0 }
        guard let number = Self.number(text) else {
            throw EyotError(.fieldInvalid, "after must be what next said", field: "after")
        }
        return number
    }

    /// The number before which rows are wanted, `before` in the query; nil begins at the newest.
    func before() throws -> Int? {
        guard let text = query["before"] else { return nil }
        guard let number = Self.number(text) else {
            throw EyotError(.fieldInvalid, "before must be what next said", field: "before")
        }
        return Int(number)
    }

    // MARK: Conditions

    /// What the caller has seen, from `If-Match`: one strong entity tag, the version alone, or `*`; or from
    /// `If-None-Match`, which takes `*` alone.
    func match() throws -> VersionMatch? {
        if let text = headers[.ifNoneMatch] {
            guard text.trimmingCharacters(in: .whitespaces) == "*", headers[.ifMatch] == nil else {
                throw EyotError(
                    .fieldInvalid, "If-None-Match must be *, and stand without If-Match", field: "If-None-Match")
            }
            return .nothing
        }
        return try headers[.ifMatch].map { try Self.match($0) }
    }

    /// What a caller has seen, as `If-Match` says it.
    ///
    /// - Parameter field: where it stands, for the error.
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

    /// What tells a repetition of this request, from `Idempotency-Key`.
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

    /// The operation that a call of a vendor's made.
    package static let operation = known("Eyot-Operation")
    static let idempotencyKey = known("Idempotency-Key")
    static let app = known(Caller.appHeader)
    static let deviceSecret = known(DeviceHeader.secret)
    static let requestID = known("X-Request-Id")
}

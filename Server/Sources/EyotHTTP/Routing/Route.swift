import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// A method and a path, with the callers that may use it, the body it takes and its handler.
package struct Route: Sendable {
    /// The callers that may use a route.
    package enum Access: Sendable {
        case anybody
        /// A key of the control plane that has all of these scopes; see ``key(_:_:)``.
        case scopedKey([KeyScope])
        /// Only the operator's key, with these scopes.
        case scopedOperatorKey([KeyScope])
        /// A device with its app's public key.
        case appKey
        /// A device with its own secret.
        case deviceSecret

        /// Access for a key of the control plane with these scopes.
        package static func key(_ scope: KeyScope, _ more: KeyScope...) -> Access { .scopedKey([scope] + more) }

        /// Access for the operator's key with this scope.
        static func operatorKey(_ scope: KeyScope) -> Access { .scopedOperatorKey([scope]) }

        /// The scopes that a key needs; nil if the route takes no key.
        var scopes: [KeyScope]? {
            switch self {
            case .scopedKey(let scopes), .scopedOperatorKey(let scopes): scopes
            case .anybody, .appKey, .deviceSecret: nil
            }
        }
    }

    /// The change that a call makes: one transaction, which may run again.
    package typealias Command = @Sendable (any Ledger) throws -> Answer

    enum Action: Sendable {
        case answer(@Sendable (Call) async throws -> Answer)
        /// Reads the call and returns its change. With an idempotency key the change runs once.
        case command(@Sendable (Call) async throws -> Command)
    }

    package var method: HTTPRequest.Method
    /// The segments of the path. A segment in braces matches any text, which is passed on under its name.
    package var path: String
    var access: Access
    /// The most bytes of a body; nil if the call takes none.
    var bodyLimit: Int?
    /// The names of the query parameters that it takes.
    var query: Set<String>
    /// Whether an unknown parameter is refused. Those of Eyot's own plane are, whatever this says.
    var isStrict = false
    var action: Action
    /// The plane that the route belongs to.
    var plane: any Plane = OwnPlane()
    /// The content types of its body; nil means those of the plane.
    var bodyTypes: Set<String>?
    /// The secret that a call shows on a route without authentication. A wrong one counts like a wrong key, because it
    /// could be guessed.
    package var secret: (@Sendable (Call) -> String?)?
    /// Checks and counts a call before its body is read; nil if the key does this. It returns the device that registers
    /// again.
    var admit: (@Sendable (Call) async throws -> Device?)?
    /// Whether its answer is one JSON value for each line of the body.
    var answersInLines = false
    /// The note for the description of the API; nil if the description's own notes have it.
    package var note: OperationNote?
    /// Whether its changes go into the audit log.
    var isRecorded: Bool { method != .get && access.scopes != nil && !isRecordedElsewhere }
    /// Whether it changes nothing, or its operations record the key.
    private var isRecordedElsewhere = false
    /// Whether it reaches only one environment, and checks by itself that the key may.
    private(set) var checksEnvironment = false

    /// Whether phones call it.
    var isForPhones: Bool {
        switch access {
        case .appKey, .deviceSecret: true
        case .anybody, .scopedKey, .scopedOperatorKey: false
        }
    }

    /// Whether only the operator may call it.
    var isOperators: Bool {
        guard case .scopedOperatorKey = access else { return false }
        return true
    }

    /// Whether it reads people's data, which is recorded. Events name people.
    var readsPeople: Bool {
        guard !isRecorded, let scopes = access.scopes else { return false }
        return scopes == [.peopleRead] || scopes.contains(.eventsRead) || scopes.contains(.whyRead)
    }

    /// Whether a path parameter may identify a person: a user's id, or the name of a test device.
    func namesPerson(by parameter: String) -> Bool {
        parameter == "externalID" || parameter == "name" && path.hasPrefix("/v1/test-devices/")
    }

    /// Whether it declares something. Its operations record the key.
    var declares: Bool {
        let scopes = Set(access.scopes ?? [])
        return !isRecorded && !scopes.isEmpty && scopes.isSubset(of: [.activitiesStart, .activitiesUpdate])
    }

    /// Whether ``CallGate`` has a reserve for the call: it halts, resumes or revokes a key.
    var hasReserve: Bool {
        switch access.scopes {
        case [.activitiesHalt]: true
        case [.keysWrite]: method == .delete
        default: false
        }
    }

    /// The same route without a row in the audit log for each call. It changes nothing, or its operations record the
    /// key.
    package var unrecorded: Route {
        var route = self
        route.isRecordedElsewhere = true
        return route
    }

    /// The same route, open to keys of one environment, which it checks by itself.
    var checkingEnvironment: Route {
        var route = self
        route.checksEnvironment = true
        return route
    }

    init(
        method: HTTPRequest.Method, path: String, access: Access, bodyLimit: Int?, query: Set<String>, action: Action,
        plane: any Plane = OwnPlane(), bodyTypes: Set<String>? = nil
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.bodyLimit = bodyLimit
        self.query = query
        self.action = action
        self.plane = plane
        self.bodyTypes = bodyTypes
    }

    /// The most bytes of a body of the control plane.
    static let controlBodyBytes = 1_024 * 1_024
    /// The most bytes of a body that may name 20,000 people.
    static let declarationBodyBytes = 6 * 1_024 * 1_024
    /// The most bytes of a body of a vendor's API: the highest limit of all vendors.
    package static let vendorBodyBytes = 5 * 1_024 * 1_024

    static func get(
        _ path: String, _ access: Access, query: Set<String> = [],
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(method: .get, path: path, access: access, bodyLimit: nil, query: query, action: .answer(handle))
    }

    /// Returns a route that answers one JSON value a line.
    static func lines(
        _ path: String, _ access: Access, query: Set<String>,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        var route = get(path, access, query: query, handle)
        route.answersInLines = true
        return route
    }

    static func post(
        _ path: String, _ access: Access, bodyLimit: Int? = controlBodyBytes, query: Set<String> = [],
        _ prepare: @escaping @Sendable (Call) async throws -> Command
    ) -> Route {
        Route(method: .post, path: path, access: access, bodyLimit: bodyLimit, query: query, action: .command(prepare))
    }

    static func put(
        _ path: String, _ access: Access, bodyLimit: Int = controlBodyBytes, query: Set<String> = [],
        _ prepare: @escaping @Sendable (Call) async throws -> Command
    ) -> Route {
        Route(
            method: .put, path: path, access: access, bodyLimit: bodyLimit, query: query,
            action: .command(prepare))
    }

    static func patch(
        _ path: String, _ access: Access, _ prepare: @escaping @Sendable (Call) async throws -> Command
    ) -> Route {
        Route(
            method: .patch, path: path, access: access, bodyLimit: controlBodyBytes, query: [],
            action: .command(prepare))
    }

    /// Returns a route for a question with a body.
    static func ask(
        _ path: String, _ access: Access, bodyLimit: Int = controlBodyBytes,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        work(path, access, bodyLimit: bodyLimit, handle).unrecorded
    }

    /// Returns a route for work in several transactions. A repetition continues it.
    static func work(
        _ path: String, _ access: Access, bodyLimit: Int = controlBodyBytes,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(method: .post, path: path, access: access, bodyLimit: bodyLimit, query: [], action: .answer(handle))
    }

    /// Returns a route for many independent changes, which can be repeated without harm. They may come in lines.
    static func bulk(
        _ path: String, _ access: Access, bodyLimit: Int,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        var route = Route(
            method: .post, path: path, access: access, bodyLimit: bodyLimit, query: [], action: .answer(handle))
        route.bodyTypes = route.plane.bodyTypes.union([BodyReader.lines])
        return route
    }

    /// Returns a route that takes one JSON value a line, and answers one for each.
    static func postLines(
        _ path: String, _ access: Access, bodyLimit: Int, query: Set<String>,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        var route = Route(
            method: .post, path: path, access: access, bodyLimit: bodyLimit, query: query, action: .answer(handle),
            bodyTypes: [BodyReader.lines])
        route.answersInLines = true
        return route.unrecorded
    }

    /// Returns a route for many independent changes in lines, which can be repeated without harm.
    static func bulkLines(
        _ path: String, _ access: Access, bodyLimit: Int, query: Set<String>,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        var route = bulk(path, access, bodyLimit: bodyLimit, handle)
        (route.bodyTypes, route.query) = ([BodyReader.lines], query)
        return route
    }

    /// Returns a route of the device plane. A device numbers its changes, so it needs no idempotency key.
    static func device(
        _ route: DeviceRoute, _ access: Access, _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(
            method: .post, path: route.rawValue, access: access, bodyLimit: DeviceLimits.bodyBytes, query: [],
            action: .answer(handle))
    }

    /// Returns a route of a vendor's API that changes something. With an idempotency key the change runs once.
    package static func post(
        _ path: String, on plane: some Plane, _ access: Access, bodyLimit: Int = vendorBodyBytes,
        _ prepare: @escaping @Sendable (Call) async throws -> Command
    ) -> Route {
        var route = post(path, access, bodyLimit: bodyLimit, prepare)
        route.plane = plane
        return route
    }

    /// Returns a route of a vendor's API that changes nothing.
    package static func answer(
        _ method: HTTPRequest.Method, _ path: String, on plane: some Plane, _ access: Access,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(
            method: method, path: path, access: access, bodyLimit: method == .get ? nil : vendorBodyBytes,
            query: [], action: .answer(handle), plane: plane
        ).unrecorded
    }

    /// The same route with parameters in its query.
    ///
    /// - Parameter strictly: Whether an unknown parameter is refused, also of a plane that ignores them.
    package func asking(_ query: Set<String>, strictly: Bool = false) -> Route {
        var route = self
        (route.query, route.isStrict) = (query, strictly || route.isStrict)
        return route
    }

    /// The same route with bodies of other types, up to a limit in bytes.
    package func taking(_ bodyTypes: Set<String>, upTo bodyLimit: Int) -> Route {
        var route = self
        (route.bodyTypes, route.bodyLimit) = (bodyTypes, bodyLimit)
        return route
    }

    static func delete(
        _ path: String, _ access: Access, query: Set<String> = [],
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(method: .delete, path: path, access: access, bodyLimit: nil, query: query, action: .answer(handle))
    }
}

/// Percent-encoding of text in a path, a query or a form.
package enum PercentEncoding {
    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// Returns the encoded text, in which only unreserved characters stand for themselves (RFC 3986, 2.3).
    package static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            encoded +=
                unreserved.contains(byte) ? String(UnicodeScalar(byte)) : "%" + HexBytes.text(of: [byte]).uppercased()
        }
    }

    /// Returns the decoded text. Nil if an escape is broken, the bytes are not UTF-8, or they contain a NUL, which
    /// Eyot's texts never have.
    package static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let decoded = HexBytes.bytes(of: String(decoding: rest.prefix(2), as: UTF8.self)), decoded.count == 1
            else { return nil }
            bytes += decoded
            rest = rest.dropFirst(2)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}

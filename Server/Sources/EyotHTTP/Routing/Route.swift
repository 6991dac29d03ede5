import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// One thing that can be asked: a method, a path, who may, what it takes, and what answers.
package struct Route: Sendable {
    /// Who may call.
    package enum Access: Sendable {
        case anybody
        /// A key of the control plane that has all of these scopes; see ``key(_:_:)``.
        case scopedKey([KeyScope])
        /// The operator's key alone, with these scopes.
        case scopedOperatorKey([KeyScope])
        /// A phone with its app's public key.
        case appKey
        /// A phone with its own secret.
        case deviceSecret

        /// A key of the control plane that may do this.
        package static func key(_ scope: KeyScope, _ more: KeyScope...) -> Access { .scopedKey([scope] + more) }

        /// The operator's key, where it may do this.
        static func operatorKey(_ scope: KeyScope) -> Access { .scopedOperatorKey([scope]) }

        /// What a key needs; nil where none is shown.
        var scopes: [KeyScope]? {
            switch self {
            case .scopedKey(let scopes), .scopedOperatorKey(let scopes): scopes
            case .anybody, .appKey, .deviceSecret: nil
            }
        }
    }

    /// What a call changes: one transaction, which may be run again.
    package typealias Command = @Sendable (any Ledger) throws -> Answer

    enum Action: Sendable {
        case answer(@Sendable (Call) async throws -> Answer)
        /// Reads the call and says what it changes. With an idempotency key that is done once.
        case command(@Sendable (Call) async throws -> Command)
    }

    package var method: HTTPRequest.Method
    /// Segments of the path; one in braces matches anything and is handed on by its name.
    package var path: String
    var access: Access
    /// The most bytes of a JSON body; nil where the call takes none.
    var bodyLimit: Int?
    /// The names of the query's parameters that it takes.
    var query: Set<String>
    var action: Action
    /// How it is spoken to.
    var plane: any Plane = OwnPlane()
    /// What its body may be declared as; nil is what the plane takes.
    var bodyTypes: Set<String>?
    /// What a call of it shows, where anybody may call, that somebody may guess: wrong ones count as wrong keys do.
    package var secret: (@Sendable (Call) -> String?)?
    /// Limits a call before its body is read; nil leaves that to the key. It returns the phone that registers again.
    var admit: (@Sendable (Call) async throws -> Device?)?
    /// Whether its answer is a line of JSON for each line.
    var answersInLines = false
    /// What the description of the API says of it; nil where that stands among its own notes.
    package var note: OperationNote?
    /// Whether what it changes goes into the audit log.
    var isRecorded: Bool { method != .get && access.scopes != nil && !isRecordedElsewhere }
    /// Whether it changes nothing, or its operations say which key made them.
    private var isRecordedElsewhere = false

    /// Whether nobody but the operator may call it.
    var isOperators: Bool {
        guard case .scopedOperatorKey = access else { return false }
        return true
    }

    /// Whether it reads what is known of people, which goes on record.
    var readsPeople: Bool { !isRecorded && access.scopes == [.peopleRead] }

    /// Whether what stands in the path under a name may tell who somebody is: a user's id, and what people call their
    /// own phones.
    func namesPerson(by parameter: String) -> Bool {
        parameter == "externalID" || parameter == "name" && path.hasPrefix("/v1/test-devices/")
    }

    /// Whether it declares something: its operations say which key made them.
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

    /// The same, without a row in the audit log for each call: it changes nothing, or its operations say which key made them.
    package var unrecorded: Route {
        var route = self
        route.isRecordedElsewhere = true
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

    /// Bytes of a body of the control plane.
    static let controlBodyBytes = 1_024 * 1_024
    /// Bytes of a body that may name 20,000 people.
    static let declarationBodyBytes = 6 * 1_024 * 1_024
    /// Bytes of a body of another vendor's API: the most that any of them takes.
    package static let vendorBodyBytes = 5 * 1_024 * 1_024

    static func get(
        _ path: String, _ access: Access, query: Set<String> = [],
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(method: .get, path: path, access: access, bodyLimit: nil, query: query, action: .answer(handle))
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

    /// A question with a body.
    static func ask(
        _ path: String, _ access: Access, bodyLimit: Int = controlBodyBytes,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        work(path, access, bodyLimit: bodyLimit, handle).unrecorded
    }

    /// What takes several transactions. Done again, it goes on.
    static func work(
        _ path: String, _ access: Access, bodyLimit: Int = controlBodyBytes,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(method: .post, path: path, access: access, bodyLimit: bodyLimit, query: [], action: .answer(handle))
    }

    /// Very many changes, of which each stands for itself: done again, they do the same. They may come in lines.
    static func bulk(
        _ path: String, _ access: Access, bodyLimit: Int,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        var route = Route(
            method: .post, path: path, access: access, bodyLimit: bodyLimit, query: [], action: .answer(handle))
        route.bodyTypes = route.plane.bodyTypes.union([BodyReader.lines])
        return route
    }

    /// Takes a line of JSON for each of the things that it does, and answers one for each.
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

    /// Very many changes in lines, of which each stands for itself: done again, they do the same.
    static func bulkLines(
        _ path: String, _ access: Access, bodyLimit: Int, query: Set<String>,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        var route = bulk(path, access, bodyLimit: bodyLimit, handle)
        (route.bodyTypes, route.query) = ([BodyReader.lines], query)
        return route
    }

    /// What a phone sends has its own numbers, and needs no key to be told from a repetition.
    static func device(
        _ route: DeviceRoute, _ access: Access, _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(
            method: .post, path: route.rawValue, access: access, bodyLimit: DeviceLimits.bodyBytes, query: [],
            action: .answer(handle))
    }

    /// A call of a vendor's API that changes something: once only, where it has an idempotency key.
    package static func post(
        _ path: String, on plane: some Plane, _ access: Access, bodyLimit: Int = vendorBodyBytes,
        _ prepare: @escaping @Sendable (Call) async throws -> Command
    ) -> Route {
        var route = post(path, access, bodyLimit: bodyLimit, prepare)
        route.plane = plane
        return route
    }

    /// A call of a vendor's API that changes nothing.
    ///
    /// - Parameter bodyTypes: what its body may be declared as; nil is what the plane takes.
    package static func answer(
        _ method: HTTPRequest.Method, _ path: String, on plane: some Plane, _ access: Access,
        query: Set<String> = [], bodyTypes: Set<String>? = nil, bodyLimit: Int = vendorBodyBytes,
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(
            method: method, path: path, access: access, bodyLimit: method == .get ? nil : bodyLimit,
            query: query, action: .answer(handle), plane: plane, bodyTypes: bodyTypes
        ).unrecorded
    }

    static func delete(
        _ path: String, _ access: Access, query: Set<String> = [],
        _ handle: @escaping @Sendable (Call) async throws -> Answer
    ) -> Route {
        Route(method: .delete, path: path, access: access, bodyLimit: nil, query: query, action: .answer(handle))
    }
}

/// All routes, found by path and method.
///
/// Hummingbird's own router decodes no segments and knows no methods of a path that it does not serve; names here are
/// any text, and a wrong method is answered with the right ones.
struct RouteTable: Sendable {
    private struct Place: Sendable {
        var segments: [Substring]
        var routes: [HTTPRequest.Method: Route] = [:]
    }

    private var places: [Place] = []
    private var planes: [any Plane] = []

    init(_ routes: [Route]) {
        for route in routes
        where route.plane.keys != .eyot && !planes.contains(where: { $0.paths == route.plane.paths }) {
            planes.append(route.plane)
        }
        for route in routes {
            let segments = Self.segments(of: route.path)
            let index = places.firstIndex { $0.segments == segments } ?? places.count
            if index == places.count { places.append(Place(segments: segments)) }
            places[index].routes[route.method] = route
        }
        // A literal segment goes before one that matches anything.
        places.sort { Self.wildcards($0.segments) < Self.wildcards($1.segments) }
    }

    /// How whoever calls a path is spoken to, be it a route or not.
    ///
    /// Where two planes' paths begin alike, the one that says more of the path is meant.
    func plane(of path: Substring) -> any Plane {
        var best: (plane: any Plane, length: Int)?
        for plane in planes {
            guard let length = plane.prefix(of: path), length > best?.length ?? 0 else { continue }
            best = (plane, length)
        }
        return best?.plane ?? OwnPlane()
    }

    /// The route of a method and a path as it stands in the request, with the values of its segments in braces.
    ///
    /// - Throws: `routeUnknown`, `methodNotAllowed`, or `fieldInvalid` where a segment is not percent-encoded UTF-8.
    func route(
        _ method: HTTPRequest.Method, _ path: Substring
    ) throws(Problem) -> (route: Route, parameters: [String: String]) {
        var segments = Self.segments(of: path)
        // Vendors' clients and pages differ in whether a slash stands at the end.
        if segments.count > 2, segments.last?.isEmpty == true, plane(of: path).keys != .eyot { segments.removeLast() }
        let wanted = method == .head ? .get : method
        let found = places.filter { Self.matches($0.segments, segments) }
        // A user may be called as a route of users is: each method goes to the place that has it.
        guard let place = found.first(where: { $0.routes[wanted] != nil }) ?? found.first else {
            throw Problem(EyotError(.routeUnknown, "there is nothing at this path"))
        }
        guard let route = place.routes[wanted] else {
            var allowed = Set(place.routes.keys.map(\.rawValue))
            if allowed.contains("GET") { allowed.insert("HEAD") }
            let list = allowed.sorted().joined(separator: ", ")
            var problem = Problem(EyotError(.methodNotAllowed, "this path takes \(list), not \(method.rawValue)"))
            problem.headers[.allow] = list
            throw problem
        }
        var parameters: [String: String] = [:]
        for (pattern, segment) in zip(place.segments, segments) where pattern.hasPrefix("{") {
            let name = String(pattern.dropFirst().dropLast())
            guard let value = PercentEncoding.decoded(segment) else {
                throw Problem(EyotError(.fieldInvalid, "\(name) is not percent-encoded UTF-8 without NUL", field: name))
            }
            parameters[name] = value
        }
        return (route, parameters)
    }

    private static func segments(of path: some StringProtocol) -> [Substring] {
        Substring(path).split(separator: "/", omittingEmptySubsequences: false)
    }

    private static func wildcards(_ segments: [Substring]) -> Int { segments.count { $0.hasPrefix("{") } }

    private static func matches(_ pattern: [Substring], _ segments: [Substring]) -> Bool {
        pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") ? !$1.isEmpty : $0 == $1 }
    }
}

/// Text in a path, a query or a form.
package enum PercentEncoding {
    /// Nil where an escape is broken, the bytes are not UTF-8, or a NUL is among them, which no text of ours has.
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

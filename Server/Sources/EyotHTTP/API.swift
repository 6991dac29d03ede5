import EyotCommands
import EyotContract
import EyotDomain
import EyotTracing
import HTTPConnections
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// All routes behind one responder. It finds the route, authenticates the caller, reads the body, and answers problems
/// as problem+json.
package struct API: HTTPResponder {
    /// Hummingbird's context of a request, with the address of the connection.
    package struct Context: RequestContext {
        package var coreContext: CoreRequestContextStorage
        /// The other end of the connection: a caller or a proxy.
        let address: SocketAddress?

        package init(source: ApplicationRequestContextSource) {
            coreContext = .init(source: source)
            address = ProxiedAddress.current?.value ?? source.channel.remoteAddress
        }
    }

    private(set) var all: [Route]
    private(set) var routes: RouteTable
    let backend: Backend
    /// The other vendors' APIs that the server answers.
    package let vendors: [Vendor]
    let gate: CallGate
    private let bodies: BodyBudget
    private let known = KnownKeys()
    private let history = KnownHistory()
    /// The proxies that name their callers in headers.
    let proxies: TrustedProxies
    /// Whether the listener speaks TLS.
    private var isEncrypted = false
    /// Whether the listener serves phones and other callers, so that a proxy tells them apart by their paths.
    private var isShared = true

    /// - Parameters:
    ///   - vendors: the other vendors' APIs that the server answers.
    ///   - lenient: the vendors for which harmless calls are accepted although the vendor documents a refusal.
    ///   - routes: further routes.
    ///   - proxies: the proxies that name their callers in headers.
    package init(
        _ backend: Backend, vendors: [Vendor] = [], lenient: Set<KeyPlane> = [], routes: [Route] = [],
        proxies: TrustedProxies = TrustedProxies()
    ) {
        (self.backend, self.vendors, self.proxies) = (backend, vendors, proxies)
        gate = CallGate(backend.limits, among: backend.counts)
        bodies = BodyBudget(limit: backend.limits.bodyBytes, refusals: backend.refusals)
        all = Self.routes(backend, gate, vendors: vendors, lenient: lenient, and: routes)
        self.routes = RouteTable(all)
    }

    /// Returns the same API with further routes, which are not described. They may call the API as it is without them.
    package func adding(_ more: (API) -> [Route]) -> API {
        var extended = self
        extended.all += more(self)
        extended.routes = RouteTable(extended.all)
        return extended
    }

    /// Returns the same API for a listener with these roles. The two share everything except the routes.
    ///
    /// - Parameter isEncrypted: whether the listener speaks TLS.
    package func serving(_ roles: Set<ListenerRole>, isEncrypted: Bool = false) -> API {
        var served = self
        served.isEncrypted = isEncrypted
        served.isShared = roles.isSuperset(of: [.http, .control])
        served.routes = RouteTable(
            all.filter { route in
                if route.isForOperations, roles.contains(.http) { return false }
                return route.listener.map(roles.contains) ?? true
            })
        return served
    }

    /// Applies other limits to calls. Counts for a changed limit begin anew. The limit of held bytes stays.
    package func change(_ limits: CallLimits) { gate.change(limits) }

    /// The counters of refusals.
    var refusals: Refusals { backend.refusals }

    /// All routes, including those of further planes and the description of the API.
    static func routes(
        _ backend: Backend, _ gate: CallGate, vendors: [Vendor] = [], lenient: Set<KeyPlane> = [],
        and others: [Route] = []
    ) -> [Route] {
        let described = own(backend, gate, vendors) + vendors.routes(backend, lenient: lenient) + others
        return OpenAPIRoutes(described: described, vendors: vendors, build: backend.build).all
    }

    private static func own(_ backend: Backend, _ gate: CallGate, _ vendors: [Vendor]) -> [Route] {
        HealthRoutes(backend: backend).routes + MetricsRoutes(backend: backend).routes + ErrorRoutes().routes
            + AppRoutes(backend: backend).routes
            + AppKeyRoutes(backend: backend).routes + HaltRoutes().routes
            + KeyRoutes(backend: backend, vendors: vendors).routes
            + IdentityRoutes(backend: backend).routes + AuditRoutes(backend: backend).routes
            + UserRoutes(backend: backend).routes + ChannelRoutes(backend: backend).routes
            + DeviceListRoutes(backend: backend).routes + DevicePlane(backend: backend, gate: gate).routes
            + DeclarationRoutes(backend: backend).routes + ActivityRoutes(backend: backend).routes
            + VersionRoutes(backend: backend).routes + RequestRoutes(backend: backend).routes
            + OperationRoutes(backend: backend).routes + TokenRoutes(backend: backend).routes
            + TypeRoutes(backend: backend).routes + SchemaRoutes(backend: backend).routes
            + PrivacyRoutes(backend: backend).routes + SegmentRoutes(backend: backend).routes
            + AudienceRoutes(backend: backend).routes
            + DefinitionRoutes(backend: backend).routes + TestDeviceRoutes(backend: backend).routes
            + DeclarationLineRoutes(backend: backend, gate: gate).routes + JoinSecretRoutes(backend: backend).routes
            + EventRoutes(backend: backend, vendors: vendors).routes
            + EventInsightRoutes(backend: backend, vendors: vendors).routes
            + WebhookRoutes(backend: backend, vendors: vendors).routes
            + WhyRoutes(backend: backend).routes + ReportRoutes(backend: backend).routes
            + OverviewRoutes(backend: backend).routes + InsightRoutes(backend: backend).routes + WatchRoutes().routes
            + RawPushRoutes(backend: backend).routes
    }

    /// Answers a request. Throws only errors of the connection itself while the body is read.
    package func respond(to request: Request, context: Context) async throws -> Response {
        let began = ContinuousClock.now
        let span = backend.tracer?.begin(request.headers[.traceparent])
        let target = (request.head.path ?? "/")[...].split(atByte: "?", maxSplits: 1)
        let plane = routes.plane(of: target.first ?? "/")
        var body: [UInt8] = []
        var counted = Counted(span: span)
        defer { bodies.release(body.count, of: counted.holder) }
        var answered: Answer
        let origin = origin(of: request, context)
        do {
            answered = try await answer(request, target, of: plane, from: origin, body: &body, &counted)
        } catch let error as BodyReader.Interruption {
            throw error.underlying
        } catch let refusal as Refusal {
            answered = refusal.answer
        } catch {
            let problem = problem(error, of: counted.call?.route, context)
            (counted.limit, counted.error) = (problem.limit, problem.error)
            answered = plane.answer(to: problem, body: body)
        }
        for fault in answered.faults { note(fault, of: counted.call?.route, context) }
        if (400..<500).contains(answered.status.code), let app = counted.app {
            gate.giveBack(app, at: backend.clock.now)
        }
        record(answered, counted, logger: context.logger)
        noteRefusal(counted)
        answered.headers[.requestID] = origin.request?.own
        if answered.headers[.contentType] == nil { answered.headers[.contentType] = plane.answerType }
        if counted.call?.route.isForPhones == true { answered.headers[.history] = counted.history }
        var response = response(
            answered, to: request, isForPhones: counted.call?.route.isForPhones == true, context: context)
        (answered.standing ?? counted.standing)?.write(into: &response.headers)
        observe(
            Observation(
                method: request.method, status: response.status.code, seconds: began.duration(to: .now) / .seconds(1),
                address: origin.ipAddress),
            counted, logger: context.logger)
        return response
    }

    /// Returns the address that limits and records apply to, and how the call came.
    private func origin(of request: Request, _ context: Context) -> CallOrigin {
        var origin = CallOrigin()
        origin.address = proxies.caller(from: context.address) { header in
            HTTPField.Name(header).map { request.headers[values: $0] } ?? []
        }
        // Not `context.id`, which crashes if the log's handler keeps no metadata.
        let id = context.logger[metadataKey: "hb.request.id"]?.description
        origin.request = id.map { RequestID($0, callers: request.headers[.requestID]) }
        origin.isFromTrustedProxy = proxies.header != .proxyV2 && proxies.trusts(context.address)
        // Proxies append, so the last word is the trusted proxy's.
        let scheme = request.headers[values: .forwardedProto].last?.split(separator: ",").last
        origin.isEncrypted =
            isEncrypted
            || origin.isFromTrustedProxy && scheme?.filter { $0 != " " }.lowercased() == "https"
        return origin
    }

    private func problem(_ error: any Error, of route: Route?, _ context: Context) -> Problem {
        if let problem = error as? Problem { return problem }
        if let error = error as? EyotError {
            return Problem(error)
        }
        note(error, of: route, context)
        return Problem(.internalFault)
    }

    /// Logs an error of the server itself.
    private func note(_ error: any Error, of route: Route?, _ context: Context) {
        context.logger.error("a call failed", metadata: ["error": "\(error)", "route": "\(route?.path ?? "none")"])
    }

    // MARK: The way in

    /// The parts of a call's count that are known.
    struct Counted {
        /// The span of the call; nil if it is not recorded.
        var span: CallSpan?
        /// The state of the limits after the call.
        var standing: RateStanding?
        /// The app that the call was counted for.
        var app: AppID?
        /// The call and its route; nil until the route is known.
        var call: (call: Call, route: Route)?
        /// The history in which a phone's call began. A later one may not know what the call stores (R17).
        var history: String?
        /// The holder of its body.
        var holder = BodyHolder.open(network: nil)
        /// The key, and the app that the call is about; nil until they are known.
        var key: APIKey?
        var about: App?
        /// The limit that refused it, by its name in metrics, and the error that it was refused with.
        var limit: String?
        var error: EyotError?
    }

    /// Records a call of the control plane or of a vendor's API.
    ///
    /// - Parameter onRead: Receives a read of people's data instead of the record; nil for the record.
    func record(
        _ answer: Answer, _ counted: Counted, logger: Logger? = nil, onRead: ((AuditEntry) -> Void)? = nil
    ) {
        guard let (call, route) = counted.call, route.access.scopes != nil else { return }
        let (trail, status) = (backend.trail, answer.status.code)
        if let entry = answer.recorded { return trail.note(.change, entry) }
        func entry() -> AuditEntry { AuditEntry(call, route, key: counted.key, app: counted.about, status: status) }
        switch status {
        case 200..<300 where route.readsPeople:
            if let onRead { onRead(entry()) } else { trail.noteRead(entry()) }
        case 200..<300 where route.declares && (try? call.isDryRun) == false: trail.note(.declaration, entry())
        case 401:
            // The entry names no key and no app, because only the address of such a call can be believed.
            let entry = AuditEntry(call, route, key: nil, app: nil, status: status)
            guard trail.noteRefusal(entry) else { return }
            logger?.notice(
                "A key is not known; further ones of this address are not logged for a minute",
                metadata: ["address": "\(entry.address ?? "local")", "route": "\(route.path)"])
        case 403, 429: trail.noteRefusal(entry())
        default: break
        }
    }

    /// - Parameters:
    ///   - target: the path, and the query after the question mark.
    ///   - plane: the plane of the path.
    ///   - body: receives the part of the body that was read.
    private func answer(
        _ request: Request, _ target: [Substring], of plane: any Plane, from origin: CallOrigin, body: inout [UInt8],
        _ counted: inout Counted
    ) async throws -> Answer {
        let path = target.first ?? "/"
        let isPanel = plane.keys == .panel
        try PathReading(
            allowsSlashInName: isPanel || !isShared || !origin.isFromTrustedProxy, allowsDotsInName: isPanel
        ).check(path)
        let (route, parameters) = try routes.route(request.method, path)
        let query = try QueryReader(known: route.query, isStrict: route.isStrict || route.plane.keys == .eyot).read(
            target.count > 1 ? target[1] : "")
        var call = Call(
            method: request.method, path: request.head.path ?? "/", parameters: parameters, query: query,
            headers: request.headers,
            credentials: .nobody, address: origin.address, now: backend.clock.now)
        (call.trace, call.origin, call.host) = (counted.span?.trace, origin, request.head.authority)
        counted.call = (call, route)
        if route.isForPhones { counted.history = await history.id(in: backend.store) }
        call.credentials = try await credentials(route, call, &counted)
        if let limit = route.bodyLimit {
            let reader = BodyReader(limit: limit, types: route.bodyTypes ?? route.plane.bodyTypes)
            try reader.check(request.headers)
            call.registered = try await route.admit?(call)
            counted.holder = Self.holder(of: call)
            call.body = try await reader.read(request.body, for: counted.holder, holding: bodies)
            body = call.body
        } else {
            try await BodyReader.drop(request.body, request.headers)
        }
        return try await perform(call, of: route)
    }

    private static func holder(of call: Call) -> BodyHolder {
        switch call.credentials {
        case .nobody: .open(network: call.address?.network)
        case .key(let caller): .control(caller.app?.id)
        case .app(let app): .phone(app.id, network: call.address?.network)
        case .device(let device): .phone(device.app, network: call.address?.network)
        }
    }

    /// Does what an authenticated call asks for, and records a change.
    func perform(_ call: Call, of route: Route) async throws -> Answer {
        switch route.action {
        case .answer(let handle):
            let answer = try await gate.watch(route.secret?(call), of: call) { try await handle(call) }
            guard let entry = AuditEntry(of: call, route, answer) else { return answer }
            do {
                try await backend.store.write { try $0.note(entry) }
            } catch {
                // The change is made. A refusal now would say that it is not.
                backend.trail.postpone(entry)
            }
            var recorded = answer
            recorded.recorded = entry
            return recorded
        case .command(let prepare):
            return try await backend.execute(call, of: route, idempotency: call.idempotency(), prepare)
        }
    }

    private func credentials(
        _ route: Route, _ call: Call, _ counted: inout Counted
    ) async throws -> Call.Credentials {
        if case .anybody = route.access { return .nobody }
        let presented = try route.plane.key(in: call.headers)
        let secret = presented.secret
        let plane: CallGate.Plane = route.access.scopes == nil ? .device : .control
        try gate.checkFailures(plane, secret, from: call.address, at: call.now)
        do {
            let found = try await find(presented, for: route, call, &counted)
            await gate.note(plane, secret, isGood: true, from: call.address, at: call.now)
            return found
        } catch let error as EyotError where error.code == .keyInvalid || error.code == .secretInvalid {
            await gate.note(plane, secret, isGood: false, from: call.address, at: call.now)
            throw error
        }
    }

    private func find(
        _ presented: PresentedKey, for route: Route, _ call: Call, _ counted: inout Counted
    ) async throws -> Call.Credentials {
        let secret = presented.secret
        switch route.access {
        case .anybody: return .nobody
        case .appKey:
            let app = try await authenticate(call) { try $0.app(publicKey: secret) }
            backend.meters.note(app)
            return .app(app)
        case .deviceSecret:
            let device = try await authenticate(call) { try $0.device(secret: secret) }
            try await gate.take(device.id, at: call.now)
            return .device(device)
        case .scopedKey(let scopes):
            return .key(try await caller(presented, route, call, scopes, &counted))
        case .scopedOperatorKey(let scopes):
            let caller = try await caller(presented, route, call, scopes, &counted)
            guard caller.isOperator else {
                throw EyotError(.keyForbidden, "this call needs the operator's key; \(caller.key.hint) is for an app")
            }
            return .key(caller)
        }
    }

    /// Authenticates and counts a call of the control plane.
    ///
    /// Each call counts for its key. It counts for the app only if the key allows the route and the call is not refused
    /// for another reason. So a refused call uses up no other key's calls.
    private func caller(
        _ presented: PresentedKey, _ route: Route, _ call: Call, _ scopes: [KeyScope],
        _ counted: inout Counted
    ) async throws -> Caller {
        // A path or a header can name the app that the call is about.
        let bundleID = call.parameters["bundleID"] ?? call.headers[.app]
        let (key, result) = try await look(presented, route.plane, call, bundleID)
        let app = scopes.allSatisfy(key.allows) ? try? result.get().app : nil
        (counted.key, counted.about) = (key, try? result.get().app)
        counted.about.map(backend.meters.note)
        counted.standing = await gate.take(key, app?.id, at: call.now)
        if counted.standing?.wait == nil {
            counted.app = app?.id
        } else if route.hasReserve, app != nil {
            counted.standing = await gate.takeFromReserve(key, at: call.now)
        }
        if let wait = counted.standing?.wait {
            throw Problem.tooManyCalls(
                "this key, or its app, has made too many calls", wait: wait, limit: "keyOrApp")
        }
        backend.keyUses.note(key, at: call.now)
        let caller = try result.get()
        try caller.require(scopes)
        try require(route, of: key, from: call.address)
        return caller
    }

    /// Refuses a call from an address that the key does not name. Also refuses a recorded change by a key of one
    /// environment, because it would reach devices of both.
    func require(_ route: Route, of key: APIKey, from address: SocketAddress?) throws(EyotError) {
        if let allowed = key.addresses {
            let isAllowed = address.map { from in allowed.contains { AddressRange($0)?.contains(from) ?? false } }
            guard isAllowed == true else {
                throw EyotError(.keyForbidden, "the key \(key.hint) may not be used from this address")
            }
        }
        // A recorded change reaches further than one declaration.
        guard let environment = key.environment, route.isRecorded, !route.checksEnvironment else { return }
        throw EyotError(
            .keyForbidden,
            "the key \(key.hint) is limited to \(environment.rawValue), and this call applies to all phones")
    }

    /// Finds the key of a call, and the caller if the key may act for the app that the call names.
    private func look(
        _ presented: PresentedKey, _ plane: any Plane, _ call: Call, _ bundleID: String?
    ) async throws -> (APIKey, Result<Caller, EyotError>) {
        // The key that reads access tokens is derived from the master key. So it is fetched only if the call carries a
        // token.
        let hasToken = plane.hasAccessTokens && AccessTokens.isAccessToken(presented.secret)
        // Read before the store is read, so that a change in between makes the cached key out of date.
        let version = hasToken ? nil : backend.store.accessVersion
        if let version, let known = known.find(Keyring.hash(of: presented.secret), at: version) {
            try presented.check(known.key, of: plane.keys, at: call.now)
            return (known.key, try Self.named { try Caller(known.key, of: known.app, naming: bundleID) })
        }
        let (keys, tokens) = (plane.keys, hasToken ? backend.sealer.accessTokens : nil)
        let (key, result) = try await authenticate(call) { authenticate in
            let key = try authenticate.key(presented, of: keys, tokens: tokens)
            return (key, try Self.named { try authenticate.caller(key, bundleID: bundleID) })
        }
        // An operator's key is not cached: it can be replaced in the database, and that raises no version.
        if let version, key.app != nil, let app = try? result.get().app {
            known.note(KnownKeys.Known(key: key, app: app), at: version)
        }
        return (key, result)
    }

    /// The caller, or why the key may not act for the app that the call names. The store's errors pass through.
    private static func named(_ caller: () throws -> Caller) throws -> Result<Caller, EyotError> {
        do { return .success(try caller()) } catch let refusal as EyotError { return .failure(refusal) }
    }

    private func authenticate<Found: Sendable>(
        _ call: Call, _ body: @escaping @Sendable (Authenticate) throws -> Found
    ) async throws -> Found {
        try await backend.store.look { try body(Authenticate(Transaction($0, at: call.now))) }
    }

    // MARK: The way out

    /// - Parameter isForPhones: whether the call is one of the device plane.
    private func response(
        _ answered: Answer, to request: Request, isForPhones: Bool, context: Context
    ) -> Response {
        let status = answered.status
        var headers = answered.headers
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        if status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        if status == .serviceUnavailable {
            headers[.retryAfter] = String(isForPhones ? Int.random(in: Problem.phonesRetryAfter) : 1)
        }
        if let stream = answered.stream {
            guard request.method != .head else { return Response(status: status, headers: headers) }
            return Response(
                status: status, headers: headers,
                body: ResponseBody { writer in
                    for try await bytes in stream { try await writer.write(ByteBuffer(bytes: bytes)) }
                    try await writer.finish(nil)
                })
        }
        guard let body = answered.body else { return Response(status: status, headers: headers) }
        let bytes = ByteBuffer(bytes: body)
        guard request.method != .head else {
            headers[.contentLength] = String(bytes.readableBytes)
            return Response(status: status, headers: headers)
        }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}

/// Reads a query's parameters. Each must be known and may come once.
private struct QueryReader {
    var known: Set<String>
    /// Whether an unknown parameter is refused instead of ignored.
    var isStrict: Bool

    func read(_ text: Substring) throws -> [String: String] {
        var query: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { PercentEncoding.decoded($0.replacing("+", with: " ")) }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else {
                throw EyotError(
                    .fieldInvalid, "the query is not percent-encoded UTF-8 without NUL", field: String(parts[0]))
            }
            guard known.contains(name) else {
                guard isStrict else { continue }
                throw EyotError(.fieldUnknown, "\(name) is not a parameter of this call", field: name)
            }
            guard query.updateValue(value, forKey: name) == nil else {
                throw EyotError(.fieldInvalid, "\(name) is given more than once", field: name)
            }
        }
        return query
    }
}

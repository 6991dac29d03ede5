import EyotCommands
import EyotContract
import EyotDomain
import HTTPTypes

/// A call of the control plane from within the process, by a caller who is known already.
package struct LocalCall: Sendable {
    package var method: HTTPRequest.Method
    /// The path, its segments percent-encoded. See ``LocalCall/path(_:)``.
    package var path: String
    package var query: [String: String] = [:]
    package var headers: HTTPFields = [:]
    /// The body; nil for none.
    package var json: JSONValue?

    package init(
        _ method: HTTPRequest.Method, _ path: String, query: [String: String] = [:], json: JSONValue? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.json = json
    }

    /// Joins segments of a path, each percent-encoded.
    package static func path(_ segments: String...) -> String {
        segments.map { "/" + PercentEncoding.encoded($0) }.joined()
    }
}

extension API {
    /// Answers a call from within the process: by the same routes, with the same scopes, limits and records as a call
    /// over a socket.
    ///
    /// Reads count for the key alone, so that open pages use up no call of the app's backend.
    ///
    /// - Parameters:
    ///   - caller: who calls; its key is not checked again.
    ///   - origin: the call that it is made for, for the address and the trace.
    ///   - onRead: Receives a read of people's data; nil for the record, where the same read stands once a minute.
    /// - Throws: ``Problem`` if the call is refused or fails.
    package func answer(
        _ local: LocalCall, as caller: Caller, for origin: Call, onRead: (@Sendable (AuditEntry) -> Void)? = nil
    ) async throws -> Answer {
        var counted = Counted(span: nil)
        do {
            let answer = try await answer(local, as: caller, for: origin, &counted)
            // A route may answer a failure instead of throwing it, to keep what led to it.
            guard answer.status.code < 400 else { throw Refusal(answer) }
            record(answer, counted, onRead: onRead ?? { backend.trail.notePageRead($0) })
            return answer
        } catch let refusal as Refusal {
            record(refusal.answer, counted)
            throw Problem(refusal.answer)
        } catch {
            let problem = error as? Problem ?? (error as? EyotError).map(Problem.init)
            guard let problem else { throw error }
            if let app = counted.app { gate.giveBack(app, at: backend.clock.now) }
            record(Answer(problem), counted)
            throw problem
        }
    }

    private func answer(
        _ local: LocalCall, as caller: Caller, for origin: Call, _ counted: inout Counted
    ) async throws -> Answer {
        let (route, parameters) = try routes.route(local.method, local.path[...])
        guard let scopes = route.access.scopes, route.plane.keys == .eyot else {
            throw EyotError(.routeUnknown, "no route of the control plane has this path")
        }
        if let unknown = local.query.keys.first(where: { !route.query.contains($0) }) {
            throw EyotError(.fieldUnknown, "\(unknown) is not a parameter of this call", field: unknown)
        }
        var call = Call(
            method: local.method, path: local.path, parameters: parameters, query: local.query,
            headers: local.headers, credentials: .key(caller), address: origin.address, now: backend.clock.now)
        (call.trace, call.origin.request) = (origin.trace, origin.origin.request)
        (counted.call, counted.key, counted.about) = ((call, route), caller.key, caller.app)
        let app = local.method == .get ? nil : caller.app?.id
        counted.standing = await gate.take(caller.key, app, at: call.now)
        if let wait = counted.standing?.wait {
            throw Problem.tooManyCalls(
                "this member, or the app, has made too many calls", wait: wait, limit: "keyOrApp")
        }
        counted.app = app
        if case .scopedOperatorKey = route.access, !caller.isOperator {
            throw EyotError(.keyForbidden, "this needs an owner of the whole server")
        }
        try caller.require(scopes)
        try require(route, of: caller.key, from: origin.address)
        call.body = local.json?.utf8 ?? []
        if let limit = route.bodyLimit, call.body.count > limit {
            throw EyotError(.bodyTooLarge, "this call accepts at most \(limit) bytes")
        }
        return try await perform(call, of: route)
    }
}

extension Problem {
    /// A problem that a route made itself, instead of throwing it.
    fileprivate init(_ answer: Answer) {
        let members = answer.json?.object
        let code = members?["code"]?.string.flatMap(EyotError.Code.init(rawValue:)) ?? .internalFault
        self.init(
            EyotError(code, members?["detail"]?.string ?? "the call was refused", field: members?["field"]?.string))
    }
}

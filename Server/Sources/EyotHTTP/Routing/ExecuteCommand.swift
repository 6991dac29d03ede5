import EyotCommands
import EyotDomain

extension Call {
    /// The call as the door of ``Commands`` sees it.
    ///
    /// - Throws: `keyMissing` if it carries no key of the control plane.
    package func request() throws -> CommandRequest {
        var request = CommandRequest(try caller, at: now)
        request.address = address?.ipAddress
        request.isDryRun = try isDryRun
        request.buildsGone = buildsGone
        (request.trace, request.id) = (trace, origin.request)
        return request
    }
}

extension Backend {
    /// Runs a command of a route: prepares it by reading, then runs it in one transaction.
    ///
    /// - Parameters:
    ///   - route: the route, for the audit log; nil if the call's operations say enough.
    ///   - idempotency: the mark of its repetitions; nil if the call acts each time.
    func execute(
        _ call: Call, of route: Route? = nil, idempotency: Idempotency?,
        _ prepare: @Sendable (Call) async throws -> Route.Command
    ) async throws -> Answer {
        var request = try call.request()
        request.idempotency = idempotency
        return try await commands.execute(request) { request in
            var call = call
            call.buildsGone = request.buildsGone
            let command = try await prepare(call)
            guard let route, !request.isDryRun else { return command }
            return { [call] ledger in
                var answer = try command(ledger)
                if let entry = AuditEntry(of: call, route, answer) {
                    try ledger.note(entry)
                    answer.recorded = entry
                }
                return answer
            }
        }
    }

    /// Runs a call as a dry run, so it throws the errors that the call itself would throw.
    package func tryOut(_ call: Call, _ prepare: @Sendable (Call) async throws -> Route.Command) async throws {
        var trial = call
        trial.query[Call.dryRun] = "true"
        _ = try await execute(trial, idempotency: nil, prepare)
    }
}

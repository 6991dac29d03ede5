import EyotCommands
import EyotContract
import EyotDomain

/// A route for many declarations in one request, for example content for one person each. Each line is judged alone.
struct DeclarationLineRoutes {
    private static let path = "/v1/declarations"
    /// The most lines of one request.
    static let lines = 20_000
    /// The most bytes of its body.
    static let bodyBytes = 16 * 1_024 * 1_024
    /// How many lines are processed at a time. The store writes them together.
    private static let atOnce = 128

    let backend: Backend
    let gate: CallGate

    var routes: [Route] {
        [
            .postLines(
                Self.path, .key(.activitiesStart, .activitiesUpdate), bodyLimit: Self.bodyBytes,
                query: [Call.dryRun], declare)
        ]
    }

    /// The outcome of one line.
    private struct Result: Sendable {
        var index: Int
        var answer: Answer
        /// The activity and the error of a line that was not done now but may be done later.
        var delay: (name: String, error: EyotError)?
        /// The error behind the answer, if the server itself failed.
        var fault: (any Error)?
    }

    private func declare(_ call: Call) async throws -> Answer {
        _ = try call.app
        _ = try call.idempotency()
        var lines = call.body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count <= Self.lines else {
            throw EyotError(.bodyTooLarge, "a request has at most \(Self.lines) lines, and this has \(lines.count)")
        }
        var call = call
        call.body = []
        var answers: [JSONValue] = []
        answers.reserveCapacity(lines.count)
        var allowance = try LineAllowance(gate: gate, caller: call.caller)
        var delayed: [String: EyotError] = [:]
        var faults: [any Error] = []
        while !lines.isEmpty {
            call.now = backend.clock.now
            let group = await group(&lines, after: answers.count, of: call, &allowance, delayed)
            let results = await perform(group, of: call).sorted { $0.index < $1.index }
            for case let delay? in results.map(\.delay) { delayed[delay.name] = delay.error }
            answers += results.map(Self.json)
            faults += results.compactMap(\.fault)
        }
        var answer = Answer(.ok, nil)
        answer.lines = answers
        answer.standing = allowance.standing
        // One stands for all of a database that fails.
        answer.faults = Array(faults.prefix(1))
        answer.headers[.contentType] = BodyReader.lines
        return answer
    }

    /// A line, or the reason that it cannot be read.
    private struct Entry: Sendable {
        var index: Int
        var line: Swift.Result<DeclarationLine, EyotError>
    }

    /// Removes the next lines, each about another activity. Declarations of one activity keep their order.
    ///
    /// - Parameter delayed: activities of which a line must be sent again, with the error of that line. Later lines get
    ///   the same error. Otherwise the repeated line would be done after them and become the newest.
    private func group(
        _ lines: inout ArraySlice<ArraySlice<UInt8>>, after done: Int, of call: Call, _ allowance: inout LineAllowance,
        _ delayed: [String: EyotError]
    ) async -> [Entry] {
        var group: [Entry] = []
        var names: Set<String> = []
        while group.count < Self.atOnce, let bytes = lines.first {
            let index = done + group.count
            let line = Swift.Result { try DeclarationLine(Array(bytes), number: index + 1, of: call) }
                .mapError { $0 as? EyotError ?? EyotError(.jsonInvalid, "the line cannot be read") }
            let name = try? line.get().name
            if let name, !names.insert(name).inserted { break }
            let refusal = await allowance.take(index: index, at: call.now) ?? name.flatMap { delayed[$0] }
            group.append(Entry(index: index, line: refusal.map(Swift.Result.failure) ?? line))
            lines.removeFirst()
        }
        return group
    }

    private func perform(_ group: [Entry], of call: Call) async -> [Result] {
        await withTaskGroup(of: Result.self) { tasks in
            for entry in group {
                tasks.addTask { await perform(entry, of: call) }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
    }

    /// Returns the answer that the line would get as a call of its own. An error of one line is no error of the
    /// request, because other lines are done.
    private func perform(_ entry: Entry, of call: Call) async -> Result {
        do {
            let line = try entry.line.get()
            let routes = DeclarationRoutes(backend: backend)
            let answer = try await backend.execute(call, idempotency: line.idempotency) { call in
                let body = try await backend.commands.declaration(
                    line.body, line.verb, name: line.name, of: call.app.id)
                // A line does not wait for a long count of members, because a request may have many lines.
                return try await routes.declare(body, match: line.match, call, longest: 0)
            }
            return Result(index: entry.index, answer: answer)
        } catch {
            let told = EyotError(inside: error)
            noteRefusal(told, entry, call)
            var result = Result(index: entry.index, answer: Answer(Problem(told)))
            if [429, 500, 503].contains(told.code.status), case .success(let line) = entry.line {
                result.delay = (line.name, told)
            }
            if !(error is EyotError) { result.fault = error }
            return result
        }
    }

    private func noteRefusal(_ error: EyotError, _ entry: Entry, _ call: Call) {
        guard let app = try? call.app.id, let key = try? call.caller.key.id else { return }
        let name = try? entry.line.get().name
        backend.refusedCalls.note(error, call, Self.path, of: app, key: key, activity: name)
    }

    private static func json(_ result: Result) -> JSONValue {
        let status = result.answer.status
        var object = JSONObject([("line", .integer(result.index + 1)), ("status", .integer(status.code))])
        object[status.code < 400 ? "answer" : "problem"] = result.answer.json
        return .object(object)
    }
}

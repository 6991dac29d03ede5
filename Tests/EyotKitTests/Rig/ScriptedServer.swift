import EyotContract
import EyotKit
import Foundation
import Testing

/// A server in memory: it reads what the SDK sends with the contract's own types, keeps the books of one device, and
/// answers what it is told to answer.
actor ScriptedServer: Transport {
    /// What becomes of a request.
    enum Reply: Sendable {
        case status(Int, body: String = "", retryAfter: Double? = nil)
        /// The request does not arrive.
        case lost
        /// The request is carried out and its answer does not arrive.
        case answerLost
        /// Nothing comes until the sender gives up.
        case hang
        /// The request is carried out, and answered when the test says ``ScriptedServer/release()``.
        case held
        /// The request is carried out.
        case answer
    }

    struct Lost: Error {}

    struct Request: Sendable {
        let host: String
        let route: DeviceRoute
        let bearer: String
        let secret: String?
        let body: JSONValue
    }

    private(set) var requests: [Request] = []
    private(set) var registrations: [DeviceRegistration] = []
    /// Every change that was applied, in its order.
    private(set) var applied: [DeviceChange] = []
    private var epoch = 0
    /// The secret of each installation.
    private var secrets: [String: String] = [:]
    private var lastApplied = 0
    private var script: [DeviceRoute: [Reply]] = [:]
    private var refusesChange: (@Sendable (DeviceChange) -> Bool)?
    private var refusesUser: String?
    private var desired: [String: CardState] = [:]
    private var channels: [String: String] = [:]
    private var attributes: [String: JSONValue] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0
    private var openHeld: @Sendable () -> Void = {}
    private var holdsUpdateToken = false
    /// The histories of the server's database. Answers name them in turn; none for a server of a former version.
    private var histories: [String] = []

    private struct Waiter {
        let condition: @Sendable (Books) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    /// What tests look at.
    struct Books: Sendable {
        let requests: [Request]
        let registrations: [DeviceRegistration]
        let actions: [DeviceChange.Action]
        let isHandedOver: Bool
    }

    var books: Books {
        Books(
            requests: requests, registrations: registrations, actions: applied.map(\.action),
            isHandedOver: handedOver != nil)
    }

    /// The next requests of a route are answered so; later ones are carried out.
    func plan(_ route: DeviceRoute, _ replies: [Reply]) { script[route, default: []] += replies }

    /// All further requests are carried out.
    func forgetPlans() { script = [:] }

    /// Refuses the phone's claim that it belongs to this user; nil believes every claim.
    func refuse(user: String?) { refusesUser = user }

    /// Batches with such a change are refused.
    func refuse(_ condition: @escaping @Sendable (DeviceChange) -> Bool) { refusesChange = condition }

    /// The history of the database from now on; several if answers name them in turn.
    func setHistory(_ histories: String...) { self.histories = histories }

    /// The database goes back to a backup of when it had applied this sequence, under another history. Nil for a backup
    /// that has all of the phone's changes.
    func goBack(to sequence: Int?, history: String) {
        lastApplied = sequence ?? lastApplied
        histories = [history]
    }

    /// What cards of this name should show from now on.
    func declare(
        _ name: String, version: Int, ends: Bool = false, state: JSONValue? = nil, dismissalDate: Int? = nil,
        timestamp: Double
    ) {
        desired[name] = CardState(
            instance: "", name: name, version: version, ends: ends, contentState: state, staleDate: nil,
            dismissalDate: dismissalDate, relevanceScore: nil, timestamp: timestamp)
    }

    /// The attributes with which the backend starts cards of a name.
    func setAttributes(_ json: JSONValue, of name: String) { attributes[name] = json }

    /// The channel of an activity from now on.
    func setChannel(_ channel: String, of name: String) { channels[name] = channel }

    /// Returns once the books fulfil a condition; the test's time limit bounds it.
    func wait(until condition: @escaping @Sendable (Books) -> Bool) async {
        if condition(books) { return }
        lastWaiter += 1
        let id = lastWaiter
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, !condition(books) else { return continuation.resume() }
                waiters[id] = Waiter(condition: condition, continuation: continuation)
            }
        } onCancel: {
            Task { await self.giveUp(id) }
        }
        if Task.isCancelled { Issue.record("the server's books never came to this: \(books.actions)") }
    }

    private func reply(to request: Request) throws -> Reply {
        if holdsUpdateToken, request.route == .changes,
            try DeviceChangeBatch(json: request.body).changes.contains(where: { $0.action.updateToken != nil })
        {
            holdsUpdateToken = false
            return .held
        }
        return script[request.route]?.isEmpty == false ? script[request.route]?.removeFirst() ?? .answer : .answer
    }

    private func giveUp(_ id: Int) { waiters.removeValue(forKey: id)?.continuation.resume() }

    func post(_ body: [UInt8], to url: URL, bearer: String, secret: String?) async throws -> TransportAnswer {
        guard let route = DeviceRoute(rawValue: url.path) else { return TransportAnswer(status: 404, body: []) }
        let request = Request(
            host: url.host ?? "", route: route, bearer: bearer, secret: secret, body: try JSONValue(parsing: body))
        requests.append(request)
        let history = histories.first
        if let history { histories = Array(histories.dropFirst()) + [history] }
        var answer = try await answer(request)
        answer.history = history
        return answer
    }

    private func answer(_ request: Request) async throws -> TransportAnswer {
        defer { wake() }
        switch try reply(to: request) {
        case .status(let status, let body, let retryAfter):
            return TransportAnswer(status: status, body: Array(body.utf8), retryAfter: retryAfter)
        case .lost: throw Lost()
        case .answerLost:
            _ = try carryOut(request)
            throw Lost()
        case .hang:
            wake()
            // A stream without elements ends when the task is cancelled.
            let (silence, feed) = AsyncStream<Void>.makeStream()
            for await _ in silence {}
            feed.finish()
            throw CancellationError()
        case .held:
            wake()
            let (gate, opening) = AsyncStream<Void>.makeStream()
            openHeld = { opening.finish() }
            let answer = try carryOut(request)
            for await _ in gate {}
            return answer
        case .answer: return try carryOut(request)
        }
    }

    // MARK: What the system makes for the app

    /// What was handed over and neither made nor taken back.
    private(set) var handedOver: Request?

    func handOver(_ body: [UInt8], to url: URL, bearer: String, secret: String?) {
        guard let route = DeviceRoute(rawValue: url.path), let json = try? JSONValue(parsing: body) else { return }
        handedOver = Request(host: url.host ?? "", route: route, bearer: bearer, secret: secret, body: json)
        wake()
    }

    func takeBack() {
        handedOver = nil
        wake()
    }

    /// The system makes the request that was handed over.
    func makeHandedOver() throws {
        guard let request = handedOver else { return }
        handedOver = nil
        _ = try carryOut(request)
        wake()
    }

    /// The next request of this route is held back.
    func hold(_ route: DeviceRoute) { plan(route, [.held]) }

    /// The next request that says an update token is held back.
    func holdUpdateToken() { holdsUpdateToken = true }

    /// What is held back is answered now.
    func release() { openHeld() }

    private func wake() {
        let present = books
        for (id, waiter) in waiters where waiter.condition(present) {
            waiters[id] = nil
            waiter.continuation.resume()
        }
    }

    private func carryOut(_ request: Request) throws -> TransportAnswer {
        switch request.route {
        case .channel:
            guard secrets.values.contains(request.bearer) else { return TransportAnswer(status: 401, body: []) }
            guard let channel = channels[try ChannelQuestion(json: request.body).name] else {
                return TransportAnswer(status: 404, body: [])
            }
            return TransportAnswer(status: 200, body: ChannelAdvice(channel: channel).json.utf8)
        case .card:
            guard secrets.values.contains(request.bearer) else { return TransportAnswer(status: 401, body: []) }
            return try advise(CardQuestion(json: request.body))
        case .register:
            guard request.bearer == "app-key" else { return TransportAnswer(status: 401, body: []) }
            let registration = try DeviceRegistration(json: request.body)
            if let secret = secrets[registration.installation], secret != request.secret {
                return TransportAnswer(status: 409, body: [])
            }
            registrations.append(registration)
            epoch += 1
            lastApplied = 0
            let secret = secrets[registration.installation] ?? "secret-\(epoch)"
            secrets[registration.installation] = secret
            let credentials = DeviceCredentials(
                device: "device-1", secret: secret, epoch: epoch, identity: registration.user.flatMap(refusal))
            return TransportAnswer(status: 200, body: credentials.json.utf8)
        case .changes:
            guard secrets.values.contains(request.bearer) else { return TransportAnswer(status: 401, body: []) }
            return try apply(try DeviceChangeBatch(json: request.body))
        }
    }

    private func advise(_ question: CardQuestion) -> TransportAnswer {
        guard let state = desired[question.name], let contentState = state.contentState else {
            return TransportAnswer(status: 404, body: [])
        }
        let advice = CardAdvice(
            version: state.version, contentState: contentState, attributes: attributes[question.name],
            staleDate: state.staleDate, relevanceScore: state.relevanceScore)
        return TransportAnswer(status: 200, body: advice.json.utf8)
    }

    private func apply(_ batch: DeviceChangeBatch) throws -> TransportAnswer {
        if let refusesChange, batch.changes.contains(where: refusesChange) {
            return TransportAnswer(status: 422, body: Array(#"{"detail":"not this one"}"#.utf8))
        }
        if let confirmed = batch.confirmed {
            // A server without histories does not know the member.
            guard !histories.isEmpty else { return TransportAnswer(status: 400, body: []) }
            guard confirmed <= lastApplied else {
                return TransportAnswer(status: 409, body: Array(#"{"code":"historyChanged"}"#.utf8))
            }
        }
        for change in batch.changes where change.sequence > lastApplied {
            applied.append(change)
            lastApplied = change.sequence
        }
        let cards = batch.changes.compactMap { $0.action.card }.compactMap { card -> CardState? in
            var state = desired[card.name]
            state?.instance = card.instance
            return state
        }
        let named = batch.changes.compactMap { change -> String? in
            if case .identify(let user, _) = change.action { user } else { nil }
        }
        let answer = DeviceAnswer(applied: lastApplied, cards: cards, identity: named.last.flatMap(refusal))
        return TransportAnswer(status: 200, body: answer.json.utf8)
    }

    private func refusal(_ user: String) -> IdentityRefusal? {
        refusesUser == user ? IdentityRefusal(user: user, reason: "EXPIRED", number: 22) : nil
    }
}

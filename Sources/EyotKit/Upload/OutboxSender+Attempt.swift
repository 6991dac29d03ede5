import EyotContract
import Foundation

/// The recent results of the sender.
struct Pace: Sendable {
    /// Failed tries in a row.
    var failures = 0
    /// Refusals in a row. Each is answered quickly and helps to find the refused change, so the first ones cost no
    /// wait.
    var refusals = 0
    /// The most changes in the next batch. A refusal halves it until the refused change is alone.
    var batchLimit = DeviceLimits.changesPerBatch
    /// The number of waits so far.
    var waits = 0

    /// The number of refusals in a row without a wait. It suffices to find one change among a hundred.
    static let freeRefusals = 16

    mutating func succeeded() {
        failures = 0
        refusals = 0
        batchLimit = min(DeviceLimits.changesPerBatch, batchLimit * 2)
    }
}

/// The wait before the next request.
struct Pause: Sendable {
    var seconds: Double
    /// The part that nothing ends early, in seconds: the server asked for it, or its histories alternate.
    var asked = 0.0

    static let none = Pause(seconds: 0)
}

extension OutboxSender {
    /// Makes the next request if there is one.
    ///
    /// - Returns: the pause before the next; nil if there is nothing to do.
    func attempt(_ pace: inout Pace) async -> Pause? {
        let next = await ledger.nextRequest(
            limit: pace.batchLimit, configuration: configuration, permissions: permissions())
        switch next {
        case .nothing: return nil
        case .wait(let seconds): return Pause(seconds: seconds, asked: seconds)
        case .unkept:
            pace.failures += 1
            return Pause(seconds: Backoff.delay(failures: pace.failures, chance: chance()))
        case .register(let registration, let secret): return await register(registration, secret: secret, &pace)
        case .send(let batch, let secret): return await send(batch, secret: secret, &pace)
        }
    }

    private func register(
        _ registration: DeviceRegistration, secret: String?, _ pace: inout Pace
    ) async -> Pause {
        do {
            let answer = try await awake {
                try await post(registration.json, to: .register, bearer: configuration.appKey, secret: secret)
            }
            switch ServerVerdict(status: answer.status, of: .register) {
            case .taken:
                let credentials = try DeviceCredentials(json: JSONValue(parsing: answer.body))
                await ledger.registered(
                    credentials, for: registration, as: configuration.build, history: answer.history)
                return .none
            case .installationTaken, .registerAgain:
                await ledger.takeNewInstallation()
                return secondChance(&pace)
            case .refused:
                await ledger.report(.registrationRefused(status: answer.status, reason: answer.reason))
                // Later tries fail the same way until the set-up is corrected, so the wait is the longest. Chance keeps
                // many phones from returning in one second then.
                return Pause(seconds: Backoff.longest * (1 + chance()))
            case .unavailable:
                return await failed(answer.reason, asked: answer.retryAfter, &pace)
            }
        } catch {
            return await failed("\(error)", asked: nil, &pace)
        }
    }

    private func send(_ batch: DeviceChangeBatch, secret: String, _ pace: inout Pace) async -> Pause {
        do {
            let request: @Sendable () async throws -> TransportAnswer = {
                try await post(batch.json, to: .changes, bearer: secret)
            }
            let isPressing = batch.changes.contains(where: \.action.isPressing)
            let answer =
                try await isPressing ? handedOver(batch, secret: secret) { try await awake(request) } : request()
            let isOlderServer = batch.confirmed != nil && answer.history == nil
            switch ServerVerdict(status: answer.status, of: .changes) {
            case .taken:
                let taken = try DeviceAnswer(json: JSONValue(parsing: answer.body))
                guard await ledger.hasGiven(taken.applied) else {
                    await ledger.outdateRegistration()
                    return secondChance(&pace)
                }
                guard await ledger.answered(taken, to: batch, history: answer.history) else {
                    return await failed("the server took nothing of a batch", asked: nil, &pace)
                }
                pace.succeeded()
                return .none
            case .registerAgain where answer.status == 409:
                // Another 409 is not Eyot's.
                guard answer.code == DeviceChangeBatch.historyChanged else {
                    return await failed(answer.reason, asked: answer.retryAfter, &pace)
                }
                await ledger.historyChanged()
                return secondChance(&pace)
            case .registerAgain:
                await ledger.outdateRegistration()
                return secondChance(&pace)
            case .refused where isOlderServer:
                // A server of a former version does not know what is sent to one with a history.
                await ledger.forgetHistory()
                return secondChance(&pace)
            case .refused, .installationTaken:
                return await refused(batch, answer, &pace)
            case .unavailable:
                return await failed(answer.reason, asked: answer.retryAfter, &pace)
            }
        } catch {
            return await failed("\(error)", asked: nil, &pace)
        }
    }

    func post(_ body: JSONValue, to route: DeviceRoute, bearer: String, secret: String? = nil) async throws
        -> TransportAnswer
    {
        let asked = await ledger.history
        let answer = try await transport.post(body.utf8, to: url(of: route), bearer: bearer, secret: secret)
        // A registration that is answered has the history itself.
        if route != .register { await ledger.heard(answer.history, asked: asked) }
        return answer
    }

    /// Keeps the system from suspending the app between a token's request and its answer. In the background it may be
    /// suspended for long.
    private func awake(_ request: @Sendable () async throws -> TransportAnswer) async throws -> TransportAnswer {
        let answer = Guarded<Result<TransportAnswer, any Error>>(.failure(CancellationError()))
        await ProcessInfo.processInfo.holdAwake(for: "Eyot tells its server a token") {
            do {
                let taken = try await request()
                answer.withLock { $0 = .success(taken) }
            } catch {
                answer.withLock { $0 = .failure(error) }
            }
        }
        return try answer.withLock { $0 }.get()
    }

    /// Makes an urgent request. If no answer comes in time, the same request is also passed to the system, which may
    /// make it while the app sleeps.
    private func handedOver(
        _ batch: DeviceChangeBatch, secret: String, _ request: @escaping @Sendable () async throws -> TransportAnswer
    ) async throws -> TransportAnswer {
        let handOver: @Sendable () async -> Void = {
            hasHandedOver.withLock { $0 = true }
            await transport.handOver(batch.json.utf8, to: url(of: .changes), bearer: secret, secret: nil)
        }
        do {
            let answer = try await withThrowingTaskGroup(of: TransportAnswer?.self) { group in
                group.addTask { try await request() }
                group.addTask {
                    if await clock.hasPassed(seconds: HandOver.patience) { await handOver() }
                    return nil
                }
                defer { group.cancelAll() }
                while let answer = try await group.next() {
                    if let answer { return answer }
                }
                throw CancellationError()
            }
            let isOver = hasHandedOver.withLock { flag in
                defer { flag = false }
                return flag
            }
            if isOver { await transport.takeBack() }
            return answer
        } catch {
            if !Task.isCancelled { await handOver() }
            throw error
        }
    }

    private func url(of route: DeviceRoute) -> URL {
        configuration.server.appendingPathComponent(String(route.rawValue.dropFirst()))
    }

    // MARK: What follows

    /// Handles a refusal of one of the changes. Smaller batches find it, and a change that is refused alone is dropped.
    private func refused(_ batch: DeviceChangeBatch, _ answer: TransportAnswer, _ pace: inout Pace) async -> Pause {
        if batch.changes.count > 1 {
            pace.batchLimit = batch.changes.count / 2
        } else if let change = batch.changes.first {
            await ledger.dropRefused(change, status: answer.status, reason: answer.reason)
        }
        pace.refusals += 1
        guard pace.refusals > Pace.freeRefusals else { return .none }
        return Pause(seconds: Backoff.delay(failures: pace.refusals - Pace.freeRefusals, chance: chance()))
    }

    /// Returns the pause before another registration: none the first time, then a wait.
    private func secondChance(_ pace: inout Pace) -> Pause {
        pace.failures += 1
        return pace.failures == 1
            ? .none : Pause(seconds: Backoff.delay(failures: pace.failures, chance: chance()))
    }

    private func failed(_ reason: String, asked: Double?, _ pace: inout Pace) async -> Pause {
        pace.failures += 1
        let chance = chance()
        let delay = Backoff.delay(failures: pace.failures, chance: chance, asked: asked)
        if !Task.isCancelled { await ledger.report(.serverUnavailable(reason: reason, retryAfter: delay)) }
        return Pause(seconds: delay, asked: Backoff.delay(asked: asked, chance: chance))
    }
}

extension TransportAnswer {
    /// The stable code of problem+json; nil for none.
    var code: String? { (try? JSONValue(parsing: body))?.object?["code"]?.string }

    /// The server's reason: the text of problem+json, or the status alone.
    var reason: String {
        let problem = (try? JSONValue(parsing: body))?.object
        let words = problem?["detail"]?.string ?? problem?["title"]?.string ?? problem?["code"]?.string
        return String((words ?? "HTTP status \(status)").prefix(300))
    }
}

import APNSWire
import EyotContract
import EyotDomain
import Logging
import ServiceLifecycle

/// Performs what ``EngineCore`` decides: asks the store, hands pages to the pusher, keeps time. It decides nothing itself.
package struct Engine: Service {
    /// Finds what signs for an app in an environment; nil where no key was declared.
    package typealias CredentialsSource = @Sendable (AppID, PushEnvironment) async throws -> PushCredentials?

    /// How often a write of verdicts is tried before it is left to the next start, as after a crash.
    private static let settleAttempts = 5
    private static let settlePause = 1.0

    /// What reaches the loop: an answer for the core, or the alarm that was set for a moment. Which alarm it was is told by
    /// that moment and not by the clock, which may have been set back since.
    private enum Signal: Sendable {
        case input(EngineCore.Input)
        case rang(Instant?)
        /// There are hints to take.
        case hinted
    }

    private let store: any Store
    private let pusher: any Pusher
    private let credentials: CredentialsSource
    private let clock: any WallClock
    private let limits: EngineCore.Limits
    private let logger: Logger

    package init(
        store: any Store, pusher: any Pusher, credentials: @escaping CredentialsSource, clock: any WallClock,
        limits: EngineCore.Limits = .init(), logger: Logger
    ) {
        self.store = store
        self.pusher = pusher
        self.credentials = credentials
        self.clock = clock
        self.limits = limits
        self.logger = logger
    }

    /// Runs until graceful shutdown, and then until everything in flight has its verdict and that is stored.
    package func run() async throws {
        try await recover()
        // Bounded by what the core lets be under way, and by how often a page may tell what is known of it: of the store's hints at most one signal waits.
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        let hints = Hints(limit: limits.turns)
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask { for await ids in store.woken where hints.add(ids) { continuation.yield(.hinted) } }
                continuation.yield(.input(.timer))
                await step(through: signals, continuation, hints, in: &group)
                group.cancelAll()
            }
        } onGracefulShutdown: {
            continuation.yield(.input(.stop))
        }
    }

    private func step(
        through signals: AsyncStream<Signal>, _ continuation: AsyncStream<Signal>.Continuation, _ hints: Hints,
        in group: inout DiscardingTaskGroup
    ) async {
        var core = EngineCore(limits: limits, startedAt: clock.now)
        var alarm: Instant?
        for await signal in signals {
            if case .rang(alarm) = signal { alarm = nil }
            let input: EngineCore.Input =
                switch signal {
                case .input(let input): input
                case .rang: .timer
                case .hinted: .woken(hints.take())
                }
            for effect in core.step(input, now: clock.now) {
                switch effect {
                case .stopped: return
                case .wake(let moment):
                    // One that is set for later rings later; what it finds done already costs nothing.
                    guard alarm.map({ moment < $0 }) ?? true else { continue }
                    alarm = moment
                    group.addTask { await ring(at: moment, continuation) }
                default:
                    group.addTask {
                        let answer = await perform(effect) { continuation.yield(.input($0)) }
                        if let answer { continuation.yield(.input(answer)) }
                    }
                }
            }
        }
    }

    private func ring(at moment: Instant, _ continuation: AsyncStream<Signal>.Continuation) async {
        do {
            // A clock that is set back would reach the moment late: then it is asked anew when to wake.
            try await clock.nap(until: moment, atMost: limits.poll)
            continuation.yield(.rang(moment))
        } catch {
            // Cancelled: the engine has stopped.
        }
    }

    /// What was sent by a process that died is of unknown fate (R6).
    private func recover() async throws {
        let batch = 200
        var count = batch
        while count == batch {
            count = try await store.write { ledger in
                let replicas = try ledger.unansweredStarts(limit: batch)
                for var replica in replicas {
                    replica.loseStartAnswer()
                    try ledger.update(replica)
                }
                return replicas.count
            }
        }
    }

    // MARK: Effects

    /// - Parameter report: takes what is known before the effect is performed.
    private func perform(
        _ effect: EngineCore.Effect, _ report: @escaping @Sendable (EngineCore.Input) -> Void
    ) async -> EngineCore.Input? {
        do {
            return try await attempt(effect, report)
        } catch {
            logger.error("The store failed; what was to be done stays due", metadata: ["error": "\(error)"])
            return Self.answerToFailure(of: effect)
        }
    }

    private func attempt(
        _ effect: EngineCore.Effect, _ report: @escaping @Sendable (EngineCore.Input) -> Void
    ) async throws -> EngineCore.Input? {
        let clock = clock
        switch effect {
        case .take(let looks, let room):
            let taken = try await store.write { try TakePages(ledger: $0, now: clock.now)(looks, in: room) }
            return .took(looks.map(\.activity), taken)
        case .push(let id, let app, let page):
            return .pushed(id, await push(page, of: app) { report(.pushed(id, $0)) })
        case .settle(let id, let page, let verdicts, let resting):
            return .settled(id, try await settle(page, verdicts, resting))
        case .rest(let id, let plan):
            return .rested(id, try await store.write { try Rest(ledger: $0, now: clock.now)(id, plan) })
        case .pause(let app, let reason):
            logger.error(
                "Apple refuses for a reason that lies with the app; it is paused",
                metadata: ["app": "\(app.rawValue)", "reason": "\(reason.name)", "meaning": "\(reason.meaning)"])
            var hasMore = try await store.write { try PauseApp(ledger: $0, now: clock.now)(app, because: reason) }
            while hasMore { hasMore = try await store.write { try LiftSuspicion(ledger: $0, now: clock.now)(in: app) } }
            return nil
        case .findDue(let limit):
            let (due, next) = try await store.read { ledger in
                (try ledger.dueActivities(at: clock.now, limit: limit), try ledger.nextDue(after: clock.now))
            }
            return .due(due, next: next)
        case .wake, .stopped: return nil
        }
    }

    /// The answer that lets the core go on; the work itself is found again in the store.
    private static func answerToFailure(of effect: EngineCore.Effect) -> EngineCore.Input? {
        switch effect {
        case .take(let looks, _): .took(looks.map(\.activity), nil)
        case .push(let id, _, let page): .pushed(id, PageVerdicts(count: page.count))
        case .settle(let id, _, _, _): .settled(id, nil)
        case .rest(let id, _): .rested(id, true)
        case .findDue: .due([], next: nil)
        case .pause, .wake, .stopped: nil
        }
    }

    private func push(
        _ page: PushPage, of app: AppID, early: @escaping @Sendable (PageVerdicts) -> Void
    ) async -> PageVerdicts {
        do {
            if let key = try await credentials(app, page.environment) {
                return await pusher.push(page, with: key, early: early)
            }
            logger.warning("No APNs key is declared", metadata: ["app": "\(app.rawValue)"])
        } catch {
            logger.error("The APNs key cannot be read", metadata: ["app": "\(app.rawValue)", "error": "\(error)"])
        }
        return PageVerdicts(count: page.count, .refused(.missingProviderToken))
    }

    private func settle(
        _ page: TakenPage, _ verdicts: PageVerdicts, _ resting: [ActivityID: EngineCore.RestPlan]
    ) async throws -> SettledPage? {
        let clock = clock
        for attempt in 1... {
            do {
                return try await store.write {
                    try SettlePage(ledger: $0, now: clock.now)(page, verdicts, resting: resting)
                }
            } catch  where attempt < Self.settleAttempts {
                logger.warning("Verdicts could not be stored; trying again", metadata: ["error": "\(error)"])
                try await clock.pause(seconds: Self.settlePause)
            }
        }
        return nil
    }
}

import APNSWire
import EyotContract
import EyotDomain
import EyotMetrics
import EyotTracing
import Logging

/// The shell that performs what ``EngineCore`` decides: it asks the store, hands pages to the pusher and keeps time.
package struct Engine: TenureWorker {
    /// Finds the credentials of an app in an environment; nil if no key was declared.
    package typealias CredentialsSource = @Sendable (AppID, PushEnvironment) async throws -> PushCredentials?

    /// An input for the loop: an answer for the core, or the alarm that was set for a moment. The moment identifies the
    /// alarm. The clock could not, because it may have been set back since.
    private enum Signal: Sendable {
        case input(EngineCore.Input)
        case rang(Instant?)
        /// The node's shards have changed.
        case changed
        /// There are hints to read.
        case hinted
    }

    private let pusher: any Pusher
    private let credentials: CredentialsSource
    private let clock: any WallClock
    private let limits: EngineCore.Limits
    private let logger: Logger
    private let meters: Meters
    /// Follows the operations of traced calls; nil if nothing is traced.
    package var traces: TraceLinks?

    package init(
        pusher: any Pusher, credentials: @escaping CredentialsSource, clock: any WallClock,
        limits: EngineCore.Limits = .init(), logger: Logger, meters: Meters = Meters()
    ) {
        self.meters = meters
        self.pusher = pusher
        self.credentials = credentials
        self.clock = clock
        self.limits = limits
        self.logger = logger
    }

    /// Runs until the tenure is over, everything in flight has its verdict, and the verdicts are stored.
    package func run(in tenancy: Tenancy) async {
        // Bounded by what the core lets be under way, and by how often a page may report a part of its verdicts. At
        // most one signal waits for the store's hints.
        let (signals, continuation) = AsyncStream.makeStream(of: Signal.self)
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in tenancy.hinted { continuation.yield(.hinted) } }
            group.addTask {
                for await _ in tenancy.changes { continuation.yield(.changed) }
                continuation.yield(.input(.stop))
            }
            continuation.yield(.input(.timer))
            await step(through: signals, continuation, of: tenancy, in: &group)
            group.cancelAll()
        }
    }

    private func step(
        through signals: AsyncStream<Signal>, _ continuation: AsyncStream<Signal>.Continuation, of tenancy: Tenancy,
        in group: inout DiscardingTaskGroup
    ) async {
        var core = EngineCore(limits: limits, of: tenancy.sharding)
        let worker = tenancy.join()
        var alarm: Instant?
        for await signal in signals {
            if case .rang(alarm) = signal { alarm = nil }
            if case .rang = signal { meters.note(due: core.due, behind: core.behind) }
            let input: EngineCore.Input =
                switch signal {
                case .input(let input): input
                case .rang: .timer
                case .changed: .serve(tenancy.served(by: worker))
                case .hinted: tenancy.hints.take()
                }
            for effect in core.step(input, now: clock.now) {
                switch effect {
                case .left(let shards): tenancy.leave(shards, by: worker)
                case .stopped: return meters.note(due: [:], behind: [:])
                case .wake(let moment):
                    // A later alarm rings later. An alarm that finds nothing to do costs nothing.
                    guard alarm.map({ moment < $0 }) ?? true else { continue }
                    alarm = moment
                    group.addTask { await ring(at: moment, continuation) }
                default:
                    group.addTask {
                        let answer = await perform(effect, in: tenancy) { continuation.yield(.input($0)) }
                        if let answer { continuation.yield(.input(answer)) }
                    }
                }
            }
        }
    }

    private func ring(at moment: Instant, _ continuation: AsyncStream<Signal>.Continuation) async {
        do {
            // With a clock that is set back the moment would come late, so the core is asked again after a poll.
            try await clock.nap(until: moment, atMost: limits.poll)
            continuation.yield(.rang(moment))
        } catch {
            // Cancelled: the engine has stopped.
        }
    }

    // MARK: Effects

    /// - Parameter report: Receives partial verdicts before the effect has been performed.
    private func perform(
        _ effect: EngineCore.Effect, in tenancy: Tenancy, _ report: @escaping @Sendable (EngineCore.Input) -> Void
    ) async -> EngineCore.Input? {
        do {
            return try await attempt(effect, in: tenancy, report)
        } catch is TenureLost {
            // Another node continues.
            return effect.answerToLoss
        } catch is CancellationError {
            // This process continues later.
            return effect.answerToFailure
        } catch {
            logger.stepFailed("The store failed; what was to be done stays due", error)
            return effect.answerToFailure
        }
    }

    private func attempt(
        _ effect: EngineCore.Effect, in tenancy: Tenancy, _ report: @escaping @Sendable (EngineCore.Input) -> Void
    ) async throws -> EngineCore.Input? {
        let (clock, pushing) = (clock, tenancy.pushing)
        switch effect {
        case .push(let id, let app, let page):
            return .pushed(id, await push(page, of: app) { report(.pushed(id, $0)) })
        case .findDue:
            return try await tenancy.read { try PerformEffect(Transaction($0, at: clock.now))(effect) }
        case .settle(_, let page, let verdicts, _):
            meters.count(verdicts, of: page)
            traces?.note(verdicts, of: page, at: clock.now)
            let answer = try await tenancy.writeVerdicts(for: [page.shard], logger: logger) {
                try PerformEffect(Transaction($0, at: clock.now), pushing: pushing)(effect)
            }
            if case .settled(_, let settled?)? = answer { note(settled, of: page) }
            return answer
        default:
            let answer = try await tenancy.write(for: shards(of: effect, in: tenancy)) { ledger, held in
                try PerformEffect(Transaction(ledger, at: clock.now), holding: held)(effect)
            }
            note(answer, in: tenancy)
            return answer
        }
    }

    /// The shards that an effect works on. What is said of a whole app is no shard's.
    private func shards(of effect: EngineCore.Effect, in tenancy: Tenancy) -> Set<Int> {
        let sharding = tenancy.sharding
        return switch effect {
        case .take(let looks, _): Set(looks.map { sharding.shard(of: $0.activity) })
        case .takeTrial: tenancy.served
        case .rest(let id, _), .conclude(let id, _): [sharding.shard(of: id)]
        case .settle, .push, .pause, .note, .clearSuspicion, .findDue, .wake, .left, .stopped: []
        }
    }

    // MARK: Reports

    private func note(_ answer: EngineCore.Input?, in tenancy: Tenancy) {
        switch answer {
        case .took(_, let taken)?:
            if let moment = taken?.clockWait { tenancy.noteCards(waitingUntil: moment, logger: logger) }
        case .paused(let fault, let outcome)? where !outcome.paused.isEmpty: report(fault, outcome)
        case .noted(let news, isStored: true)?:
            if let failure = news.failure { report(failure, of: news.place) }
        default: break
        }
    }

    private func report(_ fault: AppFault, _ outcome: PauseApp.Outcome) {
        logger.error(
            "Apple refuses for a reason that lies with the app; it is paused",
            metadata: [
                "app": "\(fault.app.rawValue)",
                "environments": "\(outcome.paused.map(\.rawValue).sorted().joined(separator: ", "))",
                "reason": "\(fault.reason.name)", "meaning": "\(fault.reason.meaning)",
            ])
    }

    private func report(_ failure: AppleFailure, of place: Trial) {
        logger.error(
            "No push of the app gets through; what is due is tried again",
            metadata: [
                "app": "\(place.app.rawValue)", "environment": "\(place.environment.rawValue)",
                "reason": "\(failure.reason?.name ?? "no answer")", "since": "\(failure.since.rfc3339)",
            ])
    }

    private func note(_ settled: SettledPage, of page: TakenPage) {
        meters.record(settled.ages, of: page)
        guard let environment = settled.liftedPause else { return }
        logger.notice(
            "Apple takes pushes of the app again; it is paused no more",
            metadata: ["app": "\(page.app.rawValue)", "environment": "\(environment.rawValue)"])
    }

    private func push(
        _ page: PushPage, of app: AppID, early: @escaping @Sendable (PageVerdicts) -> Void
    ) async -> PageVerdicts {
        do {
            if let key = try await credentials(app, page.environment) {
                return await meters.timed(page, of: app) { await pusher.push(page, with: key, early: early) }
            }
            logger.warning("No APNs key is declared", metadata: ["app": "\(app.rawValue)"])
            return PageVerdicts(count: page.count, .refused(.missingProviderToken))
        } catch {
            // The failure says nothing about the app, so it must not pause the app until an operator resumes it.
            logger.error(
                "The APNs key cannot be read; what is due is tried again",
                metadata: ["app": "\(app.rawValue)", "error": "\(error)"])
            return PageVerdicts(count: page.count, .notProcessed)
        }
    }
}

import APNSSender
import EyotDomain
import EyotHTTP
import EyotMetrics
import EyotSQLite
import EyotStore
import HTTPConnections

extension Meters {
    /// Lets each scrape read what other parts of the server keep in memory.
    ///
    /// - Parameter clock: For seconds until a moment.
    func collect(from backend: Backend, clock: any WallClock) {
        set(
            .buildInfo, BuildInfo.version, BuildInfo.commit, backend.store.health.schema.map(String.init) ?? "none",
            to: 1)
        for kind in StoreError.kinds { begin(.storeErrors, kind) }
        let (pushing, store, apps) = (backend.pushing, backend.store, backend.health.apps)
        let (refusals, answers) = (backend.refusals, backend.answers)
        collect { meters in
            meters.write(pushing.status(at: clock.now), at: clock.now)
            meters.write(store.health)
            apps.write(to: meters)
            for kind in Refusals.Kind.allCases {
                meters.set(.refused, kind.rawValue, to: Double(refusals.sums[kind] ?? 0))
            }
            meters.set(.answersNotLogged, to: Double(answers.leftOut))
        }
    }

    /// Lets each scrape read the connections to Apple.
    func collect(from sender: APNSSender) {
        collect { meters in
            for (service, environments) in sender.connections {
                for (environment, counts) in environments {
                    let (place, name) = (environment.rawValue, service.name)
                    meters.set(.connections, place, name, "connecting", to: Double(counts.connecting))
                    meters.set(.connections, place, name, "ready", to: Double(counts.ready))
                    meters.set(.connections, place, name, "leaving", to: Double(counts.leaving))
                    meters.set(.connectionFailures, place, name, to: Double(counts.failures))
                }
            }
        }
    }

    /// Counts how a commit of the store ended.
    func count(_ report: CommitReport) {
        if let failure = report.failure { return count(.storeErrors, failure.kind) }
        count(.commits)
        count(.writes, by: report.writes)
        record(.commitSeconds, value: report.seconds)
        if !report.occurrences.isEmpty { count(report.occurrences) }
    }

    private func write(_ status: PushingStatus, at now: Instant) {
        func seconds(until moment: Instant?) -> Double { max(0, moment?.seconds(since: now) ?? 0) }
        let isPushing = status.wait == nil && status.epoch != nil
        set(.nodePushing, to: isPushing ? 1 : 0)
        for reason in PushingStatus.Wait.allCases {
            set(.nodeWaits, reason.rawValue, to: status.wait == reason ? 1 : 0)
        }
        set(.nodeEpoch, to: Double(status.epoch ?? 0))
        set(.nodeShards, to: Double(status.shards))
        set(.nodeBeginsIn, to: seconds(until: status.wait == nil ? status.beginsAt : status.until))
        set(.clockSetBack, to: status.setBack?.seconds ?? 0)
        set(.cardsWaitForClock, to: seconds(until: status.cardsWaitUntil))
    }

    private func write(_ health: StoreHealth) {
        set(.waitingWrites, to: Double(health.waitingWrites))
        set(.writerBusy, to: health.busySeconds)
        if let bytes = health.walBytes { set(.walBytes, to: Double(bytes)) }
        if let bytes = health.freeBytes { set(.freeBytes, to: Double(bytes)) }
    }
}

extension APNSService {
    /// The name in metrics and health.
    var name: String {
        switch self {
        case .pushes: "pushes"
        case .broadcasts: "broadcasts"
        case .channels: "channels"
        }
    }
}

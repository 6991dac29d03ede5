import APNSWire

/// The probes of an app's quarantined tokens (R8). A few of them get another chance from time to time. If Apple accepts
/// most of these, the fault is over, and all get one.
///
/// Apple counts pushes to bad tokens against an app, so the probes are few, and their intervals grow while Apple goes
/// on refusing.
package struct QuarantineProbes: Sendable {
    /// Seconds before the first probe.
    package static let firstInterval = 60.0
    /// The longest interval, in seconds.
    package static let longestInterval = 3_600.0
    /// Seconds after which the answers to a probe are judged.
    package static let patience = 30.0
    /// The most cards of one probe.
    package static let sample = 20
    /// How many suspects are read to choose from.
    static let readAtOnce = 500

    /// A card that got another chance.
    package struct Probed: Sendable, Hashable {
        package var activity: ActivityID
        package var ordinal: Int
    }

    /// Probes that Apple has refused in a row.
    package private(set) var failures = 0
    package private(set) var nextAt: Instant
    /// The cards of the probe that is under way.
    package private(set) var probed: [Probed] = []

    /// - Parameter now: when quarantined tokens were found.
    package init(at now: Instant) { nextAt = now + Self.firstInterval }

    package func isDue(at now: Instant) -> Bool { nextAt <= now || nextAt.seconds(since: now) > Self.longestInterval }

    /// Where in the row of suspects the next probe begins, so that the same few do not stand for all.
    package var offset: Int { failures * Self.sample }

    package mutating func begin(_ probed: [Probed], at now: Instant) {
        self.probed = probed
        nextAt = now + Self.patience
    }

    /// Judges the probe under way.
    ///
    /// - Returns: whether the fault is over.
    package mutating func end(accepted: Int, refused: Int, at now: Instant) -> Bool {
        probed = []
        let isOver = accepted > refused
        failures = isOver ? 0 : failures + 1
        nextAt = now + min(Self.firstInterval * Double(1 << min(failures, 10)), Self.longestInterval)
        return isOver
    }
}

/// One step of the probes of an app. One transaction.
package struct ProbeQuarantine: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// The result of a step.
    package enum Outcome: Sendable {
        /// Nothing of the app is in quarantine.
        case none
        case waits(QuarantineProbes)
        /// Apple takes the tokens again: ``ClearSuspicion`` gives all of them another chance.
        case isOver(QuarantineProbes)
    }

    package func callAsFunction(_ known: QuarantineProbes?, in id: AppID) throws -> Outcome {
        guard let app = try ledger.app(id), app.isSending, app.haltedAt == nil else { return .none }
        var probes = known ?? QuarantineProbes(at: now)
        if known != nil, !probes.isDue(at: now) { return .waits(probes) }
        guard probes.probed.isEmpty else {
            let (accepted, refused) = try answers(to: probes.probed)
            return probes.end(accepted: accepted, refused: refused, at: now) ? .isOver(probes) : .waits(probes)
        }
        let suspects = try ledger.suspectReplicas(in: id, limit: QuarantineProbes.readAtOnce).filter(\.isSetAside)
        let tokens = try ledger.suspectStartTokens(in: id, limit: QuarantineProbes.sample)
        guard !suspects.isEmpty || !tokens.isEmpty else { return .none }
        guard known != nil else { return .waits(probes) }
        let first = suspects.isEmpty ? 0 : probes.offset % suspects.count
        let chosen = (suspects[first...] + suspects[..<first]).prefix(QuarantineProbes.sample)
        try ClearSuspicion(transaction).clear(tokens, Array(chosen), in: id)
        probes.begin(chosen.map { .init(activity: $0.activity, ordinal: $0.ordinal) }, at: now)
        return .waits(probes)
    }

    private func answers(to probed: [QuarantineProbes.Probed]) throws -> (accepted: Int, refused: Int) {
        var (accepted, refused) = (0, 0)
        for card in probed {
            guard let replica = try ledger.replica(card.ordinal, of: card.activity) else { continue }
            if replica.isSuspect {
                refused += 1
            } else if !replica.isPardoned {
                accepted += 1
            }
        }
        return (accepted, refused)
    }
}

extension Replica {
    /// Whether its token or its start was set aside on suspicion, and is not being probed.
    package var isSetAside: Bool {
        if case .dead(let death) = phase { return death.isQuarantine && death.reason.action == .suspectToken }
        return phase == .notStarted(.suspected)
    }
}

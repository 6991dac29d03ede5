import APNSWire
import EyotDomain

/// What the store is to know of an app's pushes in an environment: why none gets through, or that one did.
package struct AppleNews: Sendable, Hashable {
    package var place: Trial
    /// Nil if Apple takes or judges pushes.
    package var failure: AppleFailure?
}

/// Watches the answers to an app's pushes in an environment for a time in which none says anything of a push.
///
/// Each card keeps the reason of its own failure (``Retry``). This says it once for the app, also for cards that were
/// not tried.
struct FailureWatch: Sendable, Hashable {
    /// Seconds of failures after which the app counts as failing, and between two reports of it.
    static let patience = 5.0

    private enum Stored: Hashable {
        case unknown, fine
        case failing(APNSReason?, at: Instant)
    }

    /// Seconds in which pushes that got through come to count nothing against those without an answer.
    private static let memory = 60.0

    /// A time in which no push got through.
    private struct Outage: Hashable {
        var failure: AppleFailure
        var pushes = 0
        /// Whether Apple or the connection said that it fails.
        var isSaid = false
    }

    private var outage: Outage?
    private var stored = Stored.unknown
    /// What the pushes that got through counted when the last one did.
    private var (taken, takenAt) = (0.0, Instant(second: 0))

    /// Counts the answers to a page.
    ///
    /// - Returns: What the store does not know yet.
    mutating func count(_ verdicts: [PushVerdict], of place: Trial, at now: Instant) -> AppleNews? {
        guard !verdicts.isEmpty else { return nil }
        let through = verdicts.count(where: \.isOfItsPush)
        if through > 0 {
            (taken, takenAt) = (takenLately(at: now) + Double(through), now)
            outage = nil
            guard stored != .fine else { return nil }
            stored = .fine
            return AppleNews(place: place)
        }
        // A push that a closing connection loses has no reason, and is part of the same failure.
        var outage = self.outage ?? Outage(failure: AppleFailure(reason: nil, since: now, last: now))
        let reason = verdicts.lazy.compactMap(\.reason).first { $0 != .unrecognized } ?? outage.failure.reason
        outage.failure = AppleFailure(reason: reason, since: min(outage.failure.since, now), last: now)
        outage.pushes += verdicts.count
        outage.isSaid = outage.isSaid || verdicts.contains { $0 != .unknown }
        self.outage = outage
        guard now.seconds(since: outage.failure.since) >= Self.patience, isOfAll(outage), isNew(reason, at: now) else {
            return nil
        }
        stored = .failing(reason, at: now)
        return AppleNews(place: place, failure: outage.failure)
    }

    /// Whether the outage says something of all pushes. Those that get no answer, and are tried again while nothing
    /// else is due, say it only if they are many beside those that got through lately.
    private func isOfAll(_ outage: Outage) -> Bool {
        outage.isSaid || Double(2 * outage.pushes) >= takenLately(at: outage.failure.last)
    }

    private func takenLately(at now: Instant) -> Double {
        taken * max(0, 1 - abs(now.seconds(since: takenAt)) / Self.memory)
    }

    /// Tells it again, because the store may not know it, or know it from another node.
    mutating func repeats() { stored = .unknown }

    private func isNew(_ reason: APNSReason?, at now: Instant) -> Bool {
        guard case .failing(let former, let moment) = stored else { return true }
        return abs(now.seconds(since: moment)) >= (former == reason ? AppleFailure.interval : Self.patience)
    }
}

extension PushVerdict {
    /// Whether another push might have got another answer.
    fileprivate var isOfItsPush: Bool {
        self == .accepted || reason.map { $0 != .unrecognized && !$0.isOfAnyPush } ?? false
    }
}

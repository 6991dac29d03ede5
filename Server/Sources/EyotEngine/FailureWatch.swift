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

    private var failure: AppleFailure?
    private var stored = Stored.unknown

    /// Counts the answers to a page.
    ///
    /// - Returns: What the store does not know yet.
    mutating func count(_ verdicts: [PushVerdict], of place: Trial, at now: Instant) -> AppleNews? {
        guard !verdicts.isEmpty else { return nil }
        if verdicts.contains(where: \.isOfItsPush) {
            failure = nil
            guard stored != .fine else { return nil }
            stored = .fine
            return AppleNews(place: place)
        }
        // A push that a closing connection loses has no reason, and is part of the same failure.
        let reason = verdicts.lazy.compactMap(\.reason).first { $0 != .unrecognized } ?? failure?.reason
        failure = AppleFailure(reason: reason, since: min(failure?.since ?? now, now), last: now)
        guard let failure, now.seconds(since: failure.since) >= Self.patience, isNew(reason, at: now) else {
            return nil
        }
        stored = .failing(reason, at: now)
        return AppleNews(place: place, failure: failure)
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

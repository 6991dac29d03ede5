import EyotContract
import EyotDomain

/// What a phone is told of one of its cards.
struct CardAnswer {
    /// Seconds by which an end in an answer is ahead of the clock. A push that is under way may carry a later second than
    /// the answer, and its older state would stay on the card for ever. Nothing comes after an end, so it hides nothing.
    private static let endLead = 10.0

    let declaration: DeclarationReader
    let now: Instant

    init(_ declaration: DeclarationReader, now: Instant) {
        self.declaration = declaration
        self.now = now
    }

    /// The answer counts as a push: whatever is pushed afterwards carries a later second (R7). Within this second it is
    /// newer than a push that left before it.
    ///
    /// - Returns: whether there is anything to tell.
    @discardableResult
    static func count(for replica: inout Replica, in activity: Activity, at now: Instant) -> Bool {
        guard replica.phase == .live || replica.phase == .waitingForToken,
            replica.desiredState(in: activity) > 0 || replica.isEnding(in: activity)
        else { return false }
        if !replica.isEnding(in: activity), replica.isLocallyChanged(in: activity) { return false }
        replica.notePush(in: now.second, at: now)
        return true
    }

    /// Nil where there is nothing to tell.
    ///
    /// - Parameter follows: whether the card may follow a channel.
    func callAsFunction(
        _ replica: inout Replica, _ card: Card, in activity: Activity, follows: Bool = false
    ) throws -> CardState? {
        guard Self.count(for: &replica, in: activity, at: now) else { return nil }
        let isEnding = replica.isEnding(in: activity)
        let version = replica.desiredState(in: activity)
        let time = follows ? endOfSecondBefore(replica) : moment(replica)
        let shown = replica.endsForOther ? nil : try declaration(version)
        let end = isEnding ? try declaration(replica.endVersion(in: activity)) : nil
        let makesWay = replica.ending == .replaced || replica.endsForOther
        return CardState(
            instance: card.instance, name: card.name, version: version, ends: isEnding,
            contentState: end.map { $0.lastState(after: shown) } ?? shown?.content.state,
            staleDate: shown?.content.staleDate,
            dismissalDate: makesWay ? now.second - 1 : end?.content.dismissalDate,
            relevanceScore: shown?.content.relevanceScore, timestamp: time + (isEnding ? Self.endLead : 0))
    }

    private func moment(_ replica: Replica) -> Double {
        max(now.seconds(since: Instant(second: 0)), Double(replica.newestSecond))
    }

    /// A broadcast does not wait for the second of this answer, which it knows nothing of; so the answer must hide none that
    /// is still to come. But it is newer than one of the second before: Apple may have lost the broadcast after that one. A card
    /// that has only begun needs more, or the answer would be older than the card: then the newest state is broadcast again later.
    private func endOfSecondBefore(_ replica: Replica) -> Double {
        let second = now.second - 1
        return replica.appearedAt.map { second > $0.second } ?? true ? Double(now.second) - 0.001 : moment(replica)
    }
}

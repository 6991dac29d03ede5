import EyotContract
import EyotDomain

/// The answer to a phone about one of its cards.
struct CardAnswer {
    /// Seconds by which an end in an answer is ahead of the clock. A push in flight may carry a later second than the
    /// answer, and its older state would stay on the card forever. Nothing follows an end, so the end hides nothing.
    private static let endLead = 10.0

    let declaration: DeclarationReader
    let now: Instant

    init(_ declaration: DeclarationReader, now: Instant) {
        self.declaration = declaration
        self.now = now
    }

    /// Counts the answer as a push: each later push carries a later second (R7). The answer is newer than a push that
    /// left earlier in the same second.
    ///
    /// - Returns: Whether there is something to answer.
    @discardableResult
    static func count(for replica: inout Replica, in activity: Activity, at now: Instant) -> Bool {
        guard replica.phase == .live || replica.phase == .waitingForToken,
            replica.desiredState(in: activity) > 0 || replica.isEnding(in: activity)
        else { return false }
        if !replica.isEnding(in: activity), replica.isLocallyChanged(in: activity) { return false }
        replica.notePush(in: now.second, at: now)
        // No push reaches it, so the answer alone brings it up to date.
        if replica.hasLostChannel {
            replica.acceptedVersion = max(replica.acceptedVersion, replica.desired(in: activity))
        }
        return true
    }

    /// Returns the state of the card, or nil if there is nothing to answer.
    ///
    /// - Parameter follows: Whether the card may follow a channel.
    func callAsFunction(
        _ replica: inout Replica, _ card: Card, in activity: Activity, follows: Bool = false
    ) throws -> CardState? {
        guard Self.count(for: &replica, in: activity, at: now) else { return nil }
        let isEnding = replica.isEnding(in: activity)
        let version = replica.desiredState(in: activity)
        let time = follows ? endOfSecondBefore(replica) : moment(replica)
        let shown = replica.endsForOther ? nil : try declaration(version)
        let end = isEnding ? try declaration(replica.endVersion(in: activity)) : nil
        let leavesAtOnce = replica.ending == .replaced || replica.endsForOther
        return CardState(
            instance: card.instance, name: card.name, version: version, ends: isEnding,
            contentState: end.map { $0.lastState(after: shown) } ?? shown?.content.state,
            staleDate: shown?.content.staleDate,
            dismissalDate: leavesAtOnce ? now.second - 1 : end?.content.dismissalDate,
            relevanceScore: shown?.content.relevanceScore, timestamp: time + (isEnding ? Self.endLead : 0))
    }

    private func moment(_ replica: Replica) -> Double {
        max(now.seconds(since: Instant(second: 0)), Double(replica.newestSecond))
    }

    /// The last millisecond of the second before this one. A broadcast knows nothing of this answer and does not wait
    /// for its second, so the answer must not hide a later broadcast. It must be newer than a broadcast of the second
    /// before, because Apple may have lost that one. A card that began in that second or later gets the time of
    /// `moment(_:)`, because the answer must not be older than the card. The newest state is then broadcast again
    /// later.
    private func endOfSecondBefore(_ replica: Replica) -> Double {
        let second = now.second - 1
        return replica.appearedAt.map { second > $0.second } ?? true ? Double(now.second) - 0.001 : moment(replica)
    }
}

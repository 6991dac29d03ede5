import APNSWire
import EyotDomain

/// What became of one declaration on one card, as the card's row and Apple's verdicts tell it.
package enum VersionFate: Sendable, Hashable {
    /// Apple accepted it for the card, or for the card's channel.
    case accepted(Acceptance)
    /// It is the newest for the card, and has not reached Apple.
    case due
    /// It is tried with other cards first.
    case withheld
    /// It never left for the card, because a newer one was there before it could.
    case superseded
    /// A scope without the card.
    case notForCard
    /// The card's build cannot decode it, and the call left such phones out.
    case leftOut
    /// Apple refuses it for the card.
    case refused(APNSReason?)
    /// The start of the card failed.
    case notStarted(StartFailure)
    /// The card was gone before it could leave; with the reason, if one is known.
    case gone(String?)
    /// It was for some cards, or its record is no longer kept: it may have been accepted or not.
    case forgotten

    /// What Apple accepted, and when.
    package struct Acceptance: Sendable, Hashable {
        /// Nil if the record of it is no longer kept.
        package var at: Instant?
        /// The kind of the push; nil for a broadcast, and without a record.
        package var event: LiveActivityEvent?
        package var hasAlert = false
        /// The id of the push at Apple; nil for a broadcast, and without a record.
        package var apnsID: String?
        package var isBroadcast = false
    }

    /// The fate as one word.
    package var word: String {
        switch self {
        case .accepted: "accepted"
        case .due: "due"
        case .withheld: "withheld"
        case .superseded: "superseded"
        case .notForCard: "notForCard"
        case .leftOut: "leftOut"
        case .refused: "refused"
        case .notStarted: "notStarted"
        case .gone: "gone"
        case .forgotten: "unknown"
        }
    }

    /// All words.
    package static let words = [
        "accepted", "due", "withheld", "superseded", "notForCard", "leftOut", "refused", "notStarted", "gone",
        "unknown",
    ]
}

extension VersionFate {
    /// Where the fates of a declaration are read.
    package struct Sources {
        /// What Apple accepted for the page of the card, newest first.
        package var rows: [Acceptances]
        /// When Apple accepted the declaration for the card's channel; nil if it did not, or nothing is known of it.
        package var broadcastAt: Instant?

        package init(rows: [Acceptances], broadcastAt: Instant? = nil) {
            (self.rows, self.broadcastAt) = (rows, broadcastAt)
        }
    }

    package init(of declaration: Declaration, on card: Replica, in activity: Activity, _ sources: Sources) {
        self =
            Self.known(declaration, card, sources) ?? Self.excluded(declaration, card, sources)
            ?? Self.open(declaration.version, card, activity)
    }

    /// What Apple has said of it; nil if nothing is kept.
    private static func known(_ declaration: Declaration, _ card: Replica, _ sources: Sources) -> VersionFate? {
        let version = declaration.version
        let row = sources.rows.last { $0.content.version == version && $0.slots.contains(card.ordinal) }
        if let row { return .accepted(Acceptance(row, of: card.ordinal)) }
        if let at = sources.broadcastAt, card.isFollowing, declaration.scope == .everyone, at >= card.createdAt {
            return .accepted(Acceptance(at: at, isBroadcast: true))
        }
        return card.acceptedVersion == version ? .accepted(Acceptance()) : nil
    }

    /// That it did not apply to the card; nil if it did.
    private static func excluded(_ declaration: Declaration, _ card: Replica, _ sources: Sources) -> VersionFate? {
        let version = declaration.version
        if !card.isConcerned(by: declaration) {
            if declaration.scope == .everyone { return .leftOut }
            // A card notes only the newest scoped declaration that it belongs to.
            return max(card.scopedState, card.endedAlone) > version ? .forgotten : .notForCard
        }
        let hasRecord = sources.rows.contains { $0.slots.contains(card.ordinal) }
        return !hasRecord && card.acceptedVersion > version && !card.isFollowing ? .forgotten : nil
    }

    /// What becomes of one that applies to the card and has not reached Apple.
    private static func open(_ version: Version, _ card: Replica, _ activity: Activity) -> VersionFate {
        if card.blockedVersion == version { return .refused(card.blockedReason) }
        if activity.withholds(version, from: card.ordinal) { return .withheld }
        guard version == card.desired(in: activity) else { return .superseded }
        switch card.phase {
        case .starting, .waitingForToken, .live: return .due
        case .notStarted(let failure): return .notStarted(failure)
        case .dead(let death): return .gone(death.reason.name)
        case .ended, .dismissed: return .gone(card.removal?.rawValue ?? card.word)
        case .unlisted, .untracked: return .gone(card.word)
        }
    }
}

extension VersionFate.Acceptance {
    init(_ row: Acceptances, of ordinal: Int) {
        self.init(
            at: row.at, event: row.content.event, hasAlert: row.content.alertVersion > 0,
            apnsID: APNSID(row, of: ordinal).description)
    }
}

extension Replica {
    /// The version of a scoped end of the card; 0 if there is none.
    fileprivate var endedAlone: Version {
        if case .declared(let version) = ending { version } else { 0 }
    }
}

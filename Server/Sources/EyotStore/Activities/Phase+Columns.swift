import APNSWire
import EyotDomain

/// A phase in three columns: its word, its reason, and whether it can be undone.
///
/// An unlisted card is stored as a dead one with a reason of its own. The former version of the program can read it.
extension Replica.Phase {
    var word: String {
        switch self {
        case .starting: "starting"
        case .waitingForToken: "waitingForToken"
        case .live: "live"
        case .ended: "ended"
        case .dismissed: "dismissed"
        case .dead, .unlisted: "dead"
        case .notStarted: "notStarted"
        case .untracked: "untracked"
        }
    }

    var reason: String? {
        switch self {
        case .dead(let death): death.reason.name
        case .unlisted: Self.unlistedReason
        case .notStarted(let failure): failure.rawValue
        case .starting, .waitingForToken, .live, .ended, .dismissed, .untracked: nil
        }
    }

    private static let unlistedReason = "unlisted"
    /// The reason that the first version stored for a start that made no reported card.
    private static let formerReason = "neverAppeared"

    var isQuarantine: Bool {
        if case .dead(let death) = self { death.isQuarantine } else { false }
    }

    init(columns: inout SQLColumns) throws {
        let word = try columns.text()
        let reason = try columns.optionalText()
        let isQuarantine = try columns.flag()
        switch (word, reason) {
        case ("starting", _): self = .starting
        case ("waitingForToken", _): self = .waitingForToken
        case ("live", _): self = .live
        case ("ended", _): self = .ended
        case ("dismissed", _): self = .dismissed
        case ("untracked", _): self = .untracked
        case ("dead", Self.unlistedReason): self = .unlisted
        case ("notStarted", Self.formerReason): self = .notStarted(.noCardHeardOf)
        case ("dead", let reason?):
            self = .dead(TokenDeath(reason: APNSReason(name: reason), isQuarantine: isQuarantine))
        case ("notStarted", let reason?):
            guard let failure = StartFailure(rawValue: reason) else { throw columns.unreadable("a reason") }
            self = .notStarted(failure)
        default: throw columns.unreadable("a phase")
        }
    }
}

/// How many cards show what, of those with a phone that has reported it.
///
/// Cards that run count, and those that ran until Eyot ended them. A card that is gone for another reason shows nothing
/// any more.
package struct ShownNumbers: Sendable, Hashable {
    /// Cards with a phone that has reported what they show.
    package var reporting = 0
    /// Of these, the cards that show the newest state for them.
    package var newest = 0
    package var older = 0
    /// Of these, the cards that show a state which was not declared, or one of too many to tell apart.
    package var otherState = 0
    /// Of these, the cards that show a state which has gone stale, so that iOS shows them grey. A card that shows an
    /// older state than its own scoped one is not among them.
    package var stale = 0

    package init() {}

    /// - Parameters:
    ///   - showing: The numbers of ``KeptCounter/showing`` by their details.
    ///   - state: The newest state for everyone.
    ///   - isStale: Whether the state of a version has gone stale.
    package init(_ showing: [String: Int], newest state: Version, isStale: (Version) throws -> Bool) rethrows {
        for (detail, count) in showing where count > 0 {
            reporting += count
            let detail = ShownDetail(detail)
            if case .version(let version) = detail, try isStale(version) { stale += count }
            switch detail?.standing(beside: state) ?? .other {
            case .newest: newest += count
            case .older: older += count
            case .other: otherState += count
            }
        }
    }

    /// The share that shows the newest state; nil if no phone reports.
    package var share: Double? { reporting > 0 ? Double(newest) / Double(reporting) : nil }
}

extension Ledger {
    /// Reads what phones have reported of the cards of an activity.
    ///
    /// - Parameters:
    ///   - showing: The numbers of ``KeptCounter/showing`` by their details.
    ///   - isEnded: Whether the cards are over. iOS shows none of them grey.
    package func shown(
        _ showing: [String: Int], of activity: ActivityID, newest state: Version, isEnded: Bool, at now: Instant
    ) throws -> ShownNumbers {
        try ShownNumbers(showing, newest: state) { version in
            try !isEnded && declaration(version, of: activity)?.content.isStale(at: now) == true
        }
    }
}

/// What a card shows, as ``KeptCounter/showing`` tells it apart.
enum ShownDetail: Hashable {
    /// The state of a version; 0 for one that was not declared.
    case version(Version)
    /// A state that its build keeps, because it cannot decode the states for everyone up to this version.
    case keptUntil(Version)
    /// A state that is older than the newest one of the card's own.
    case olderThanOwn

    private static let (older, kept) = ("older", "until:")

    init?(_ text: String) {
        if let version = Int(text) {
            self = .version(version)
        } else if text == Self.older {
            self = .olderThanOwn
        } else if text.hasPrefix(Self.kept), let version = Int(text.dropFirst(Self.kept.count)) {
            self = .keptUntil(version)
        } else {
            return nil
        }
    }

    /// What a card shows, beside the newest state for everyone.
    enum Standing {
        case newest
        case older
        /// A state that was not declared, or one of too many to tell apart.
        case other
    }

    func standing(beside state: Version) -> Standing {
        switch self {
        case .version(0): .other
        case .version(let version), .keptUntil(let version): version >= state ? .newest : .older
        case .olderThanOwn: .older
        }
    }

    var text: String {
        switch self {
        case .version(let version): String(version)
        case .keptUntil(let version): Self.kept + String(version)
        case .olderThanOwn: Self.older
        }
    }
}

/// What decides under which detail a card counts, beside what it shows.
struct ShownTerms: Hashable {
    fileprivate var counts: Bool
    fileprivate var scopedState: Version
    fileprivate var keeping: Keeping?

    func detail(of version: Version) -> ShownDetail? {
        guard counts else { return nil }
        guard version > 0 else { return .version(0) }
        if version < scopedState { return .olderThanOwn }
        if let keeping, (keeping.state...keeping.until).contains(version) { return .keptUntil(keeping.until) }
        return .version(version)
    }
}

extension Replica {
    /// Whether the card of this replica shows the newest state for it, if it shows a version; nil if the card is gone.
    package func showsNewest(_ version: Version, in activity: Activity) -> Bool? {
        shownTerms.detail(of: version).map { $0.standing(beside: activity.common(for: ordinal).state) == .newest }
    }

    /// The detail of ``KeptCounter/showing`` under which the card counts if it shows a version; nil for none.
    package func shownWord(_ version: Version) -> String? { shownTerms.detail(of: version)?.text }

    var shownTerms: ShownTerms { ShownTerms(counts: mayShow, scopedState: scopedState, keeping: keeping) }

    /// Whether its card may be on the screen, or was until Eyot ended it.
    package var mayShow: Bool {
        switch phase {
        case .waitingForToken, .live, .untracked: true
        // The card may well be there.
        case .dead(let death): death.isQuarantine
        case .ended: removal == nil && ending == nil
        case .starting, .dismissed, .unlisted, .notStarted: false
        }
    }
}

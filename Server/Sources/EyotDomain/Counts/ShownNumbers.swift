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
    /// Of these, the cards that show a state which has gone stale, so that iOS shows them grey.
    package var stale = 0

    /// The most cards of a canary's share that are looked at one by one.
    static let shareLimit = 2_000

    package init() {}

    /// - Parameters:
    ///   - showing: The numbers of ``KeptCounter/showing`` by their details.
    ///   - common: What is newest for everyone.
    ///   - isStale: Whether the state of a version has gone stale.
    package init(_ showing: [String: Int], beside common: CommonState, isStale: (Version) throws -> Bool) rethrows {
        for (detail, count) in showing where count > 0 {
            reporting += count
            let detail = ShownDetail(detail)
            if let version = detail?.version, version > 0, try isStale(version) { stale += count }
            switch detail?.standing(beside: common) ?? .other {
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
    package func shown(of activity: Activity, at now: Instant) throws -> ShownNumbers {
        try shown(counts(of: .showing, of: activity.id, in: activity.app), of: activity, at: now)
    }

    /// - Parameter showing: The numbers of ``KeptCounter/showing`` by their details.
    package func shown(_ showing: [String: Int], of activity: Activity, at now: Instant) throws -> ShownNumbers {
        // iOS shows no card grey that is over.
        var numbers = try ShownNumbers(showing, beside: activity.common) { version in
            try !activity.isEnded && declaration(version, of: activity.id)?.content.isStale(at: now) == true
        }
        let behind = try behindCanary(of: activity)
        numbers.newest -= behind
        numbers.older += behind
        return numbers
    }

    /// The number of cards that show the newest state for everyone, and not yet the one that an open canary tries with
    /// them. Of a share with more reporting cards than are read here, the others count as cards with the newest state.
    private func behindCanary(of activity: Activity) throws -> Int {
        guard let canary = activity.openCanary, canary.common.state > activity.common.state else { return 0 }
        let echoes = try echoes(
            of: activity.id, upTo: canary.upTo, below: canary.common.state, limit: ShownNumbers.shareLimit)
        return try echoes.count { echo in
            guard let detail = try replica(echo.ordinal, of: activity.id)?.shownTerms.detail(of: echo.version)
            else { return false }
            return detail.standing(beside: activity.common) == .newest
                && detail.standing(beside: canary.common) == .older
        }
    }
}

/// What a card shows, as ``KeptCounter/showing`` tells it apart.
enum ShownDetail: Hashable {
    /// The state of a version; 0 for one that was not declared.
    case version(Version)
    /// A state that its build keeps, because it cannot decode the states for everyone up to this version.
    case kept(Version, until: Version)
    /// A state that is older than the newest one of the card's own.
    case olderThanOwn(Version)
    /// The state of a version, on a card with a state of its own of which is known when it was true (R14).
    case dated(Version, own: Version, asOf: Instant)

    private enum Word {
        static let (older, until, own) = ("older", "until", "own")
    }

    init?(_ text: String) {
        let parts = text.split(separator: ":")
        let numbers = parts.compactMap { Int($0) }
        let word = numbers.count == parts.count ? "" : String(parts.first ?? "")
        switch (word, numbers.count) {
        case ("", 1): self = .version(numbers[0])
        case (Word.older, 1): self = .olderThanOwn(numbers[0])
        case (Word.until, 2): self = .kept(numbers[1], until: numbers[0])
        case (Word.own, 3):
            self = .dated(numbers[0], own: numbers[1], asOf: Instant(microseconds: Int64(numbers[2])))
        default: return nil
        }
    }

    /// The declaration that has the state; 0 for none.
    var version: Version {
        switch self {
        case .version(let version), .dated(let version, _, _), .kept(let version, _), .olderThanOwn(let version):
            version
        }
    }

    /// What a card shows, beside the newest state for everyone.
    enum Standing {
        case newest
        case older
        /// A state that was not declared, or one of too many to tell apart.
        case other
    }

    func standing(beside common: CommonState) -> Standing {
        switch self {
        case .version(0): .other
        case .version(let version), .kept(_, let version): version >= common.state ? .newest : .older
        case .olderThanOwn: .older
        case .dated(let version, let own, let asOf):
            // A version above both is a canary's.
            version == common.newestState(beside: own, asOf: asOf) || version > max(own, common.state)
                ? .newest : .older
        }
    }

    var text: String {
        switch self {
        case .version(let version): String(version)
        case .kept(let version, let until): "\(Word.until):\(until):\(version)"
        case .olderThanOwn(let version): "\(Word.older):\(version)"
        case .dated(let version, let own, let asOf): "\(Word.own):\(version):\(own):\(asOf.microseconds)"
        }
    }
}

/// What decides under which detail a card counts, beside what it shows.
struct ShownTerms: Hashable {
    fileprivate var counts: Bool
    fileprivate var scopedState: Version
    fileprivate var scopedAsOf: Instant?
    fileprivate var keeping: Keeping?

    func detail(of version: Version) -> ShownDetail? {
        guard counts else { return nil }
        guard version > 0 else { return .version(0) }
        if scopedState > 0, let scopedAsOf { return .dated(version, own: scopedState, asOf: scopedAsOf) }
        if version < scopedState { return .olderThanOwn(version) }
        if let keeping, (keeping.state...keeping.until).contains(version) {
            return .kept(version, until: keeping.until)
        }
        return .version(version)
    }
}

extension Replica {
    /// Whether the card of this replica shows the newest state for it, if it shows a version; nil if the card is gone.
    package func showsNewest(_ version: Version, in activity: Activity) -> Bool? {
        shownTerms.detail(of: version).map { $0.standing(beside: activity.common(for: ordinal)) == .newest }
    }

    /// The detail of ``KeptCounter/showing`` under which the card counts if it shows a version; nil for none.
    package func shownWord(_ version: Version) -> String? { shownTerms.detail(of: version)?.text }

    var shownTerms: ShownTerms {
        ShownTerms(counts: mayShow, scopedState: scopedState, scopedAsOf: scopedAsOf, keeping: keeping)
    }

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

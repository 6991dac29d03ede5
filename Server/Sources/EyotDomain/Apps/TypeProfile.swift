/// The rules by which cards of one type spend an app's budgets: an hourly budget of pushes of priority 10, and a small
/// one of remote starts. Apple publishes neither, so every default is a guess.
package struct TypeProfile: Sendable, Hashable {
    package let app: AppID
    package let type: String
    /// Seconds between two updates of one card. States that come faster are conflated: the newest goes when the time is
    /// over. The default is 0, because Eyot's own priority for such states is 5, which costs nothing.
    package var spacing = 0
    /// The spacing for phones that allow no frequent pushes; nil means no difference. Their cards are then looked at
    /// one by one.
    package var sparingSpacing: Int?
    /// Remote starts of one phone within an hour; further starts are refused. Phones were seen to drop starts after
    /// about ten in an unknown time, while Apple accepted them all.
    package var startsPerHour = 10
    /// Seconds of a phone's silence after which a start without a card is made again; 0 for never. The default is the
    /// time for which iOS lets a card run: a card without a report is over by then.
    package var restartAfter = TypeProfile.cardLifetime
    /// Seconds for which a state stays fresh if neither its declaration nor an earlier one says it. Nil means for ever.
    package var staleAfter: Int?
    /// The relevance of cards if no declaration says it.
    package var relevanceScore: Double?

    /// The name of the profile for all types without a profile of their own.
    package static let everyType = "*"
    /// The longest spacing, in seconds.
    package static let spacingLimit = 3_600
    /// The most starts in an hour.
    package static let startLimit = 1_000
    /// The default of ``restartAfter``.
    package static let cardLifetime = Int(Replica.cardLifetime)
    /// The longest silence after which a start is made again, in seconds: a week.
    package static let restartAfterLimit = 7 * 86_400
    /// The longest time that a state counts as fresh, in seconds: a year.
    package static let staleAfterLimit = 366 * 86_400
    /// The time in which starts are counted, in seconds.
    package static let startWindow = 3_600.0

    package init(app: AppID, type: String) {
        self.app = app
        self.type = type
    }

    /// The longest time for which a card may wait for its next update, in seconds.
    package var longestSpacing: Int { max(spacing, sparingSpacing ?? 0) }

    /// Whether cards of phones that allow no frequent pushes have another spacing.
    package var isSparing: Bool { sparingSpacing.map { $0 != spacing } ?? false }

    /// Whether a phone may get one more start, given its starts around that time.
    package func allowsStart(among starts: [Replica]) -> Bool {
        starts.count { $0.spendsStart } < startsPerHour
    }
}

extension Replica {
    /// Whether its remote start has reached the phone, may have reached it, or will.
    fileprivate var spendsStart: Bool {
        switch phase {
        case .notStarted(let failure): failure == .givenUp || failure.isLostStart
        case .starting, .waitingForToken, .live, .ended, .dismissed, .dead, .unlisted, .untracked: true
        }
    }
}

extension AppLedger {
    /// Returns the profile that applies to a type: its own, the one for all types, or the defaults.
    package func effectiveProfile(of type: String, in app: AppID) throws -> TypeProfile {
        if let said = try profile(of: type, in: app) { return said }
        var profile = TypeProfile(app: app, type: type)
        guard let common = try self.profile(of: TypeProfile.everyType, in: app) else { return profile }
        profile.spacing = common.spacing
        profile.sparingSpacing = common.sparingSpacing
        profile.startsPerHour = common.startsPerHour
        profile.restartAfter = common.restartAfter
        profile.staleAfter = common.staleAfter
        profile.relevanceScore = common.relevanceScore
        return profile
    }
}

/// A reader of profiles that reads each of them once in a transaction.
package final class ProfileReader {
    private struct Key: Hashable {
        var app: AppID
        var type: String
    }

    private let ledger: any Ledger
    private var known: [Key: TypeProfile] = [:]

    package init(_ ledger: any Ledger) { self.ledger = ledger }

    /// Returns the profile of an activity's type.
    package func callAsFunction(of activity: Activity) throws -> TypeProfile {
        let key = Key(app: activity.app, type: activity.type ?? "")
        if let profile = known[key] { return profile }
        let profile = try ledger.effectiveProfile(of: key.type, in: key.app)
        known[key] = profile
        return profile
    }
}

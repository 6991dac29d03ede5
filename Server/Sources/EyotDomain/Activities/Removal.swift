import EyotContract

/// What took a card from its phone, if no end of Eyot did and as far as it is known. Callers see the raw values.
package enum Removal: String, Sendable, Hashable, CaseIterable {
    /// The app ended it. The app had announced that, or the SDK did it for the app.
    case app
    /// Live Activities were switched off for the app, which ends all of its cards.
    case activitiesOff
    /// It ended and left the screen in one moment. The person, the app or another sender of pushes may have done it.
    case personOrApp
    /// iOS ended it, because its eight hours were over.
    case time
    /// The app or iOS ended it, and nothing says which of them.
    case appOrSystem
}

/// What a phone's report of the end of a card means.
package struct CardRemoval: Sendable, Hashable {
    /// Of ``CardEvent/ended`` and ``CardEvent/dismissed`` the one that it stands for; any other event as it is.
    package var event: CardEvent
    /// Nil for a person's swipe, and for an end by Eyot.
    package var cause: Removal?
}

/// What else a report says that explains the end of a card.
package struct RemovalSigns: Sendable, Hashable {
    /// Whether the report names the card that took the name for the first time. An end for that reason cannot have been
    /// sent yet.
    package var makesWayNow = false
    /// Whether the app said directly before, in the same report, that it changes the card.
    package var isAnnounced = false
    /// Whether Live Activities are switched off for the app.
    package var activitiesAreOff = false

    package init(makesWayNow: Bool = false, isAnnounced: Bool = false, activitiesAreOff: Bool = false) {
        self.makesWayNow = makesWayNow
        self.isAnnounced = isAnnounced
        self.activitiesAreOff = activitiesAreOff
    }
}

extension Replica {
    /// Decides what ended a card. Only a person's swipe is a dismissal (R13): ActivityKit says `dismissed` too if the
    /// app ends a card at once, or if Live Activities are switched off.
    ///
    /// A card that vanished, and that Eyot was about to end, counts as ended. Any other that vanished counts as
    /// dismissed, because a card that a person removed must not come back.
    package func meaning(of event: CardEvent, in activity: Activity, _ signs: RemovalSigns) -> CardRemoval {
        guard event.isOver else { return CardRemoval(event: event) }
        var before = self
        if signs.makesWayNow { before.ending = nil }
        let isOurs = event != .dismissed && before.isEnding(in: activity)
        if isOurs { return CardRemoval(event: .ended) }
        if signs.activitiesAreOff { return CardRemoval(event: .ended, cause: .activitiesOff) }
        if signs.isAnnounced || removal == .app { return CardRemoval(event: .ended, cause: .app) }
        switch event {
        case .vanished: return CardRemoval(event: .dismissed, cause: .personOrApp)
        case .ended: return CardRemoval(event: .ended, cause: .appOrSystem)
        default: return CardRemoval(event: event)
        }
    }
}

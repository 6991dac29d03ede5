import EyotContract

/// Which change makes which other one superfluous.
extension DeviceChange.Action {
    /// The type whose start token this sets or removes.
    private var startTokenType: String? {
        switch self {
        case .setStartToken(let type, _), .removeStartToken(let type): type
        default: nil
        }
    }

    /// Whether this tells of a card's life without deciding it: the first to go when there is no room.
    var isContentReport: Bool {
        if case .cardEvent(_, let event, _) = self { !event.isOver } else { false }
    }

    /// The card that is over with this change.
    var finishedInstance: String? {
        switch self {
        case .cardEvent(let card, let event, _) where event.isOver: card.instance
        case .stopTracking(let card): card.instance
        default: nil
        }
    }

    /// Whether it says that a card runs.
    func isSighting(of instance: String) -> Bool {
        switch self {
        case .cardSeen(let card), .setUpdateToken(let card, _): card.instance == instance
        default: false
        }
    }

    /// Whether it brings a token, which the system gives an app in the background few seconds to tell.
    var isPressing: Bool {
        switch self {
        case .setStartToken, .setUpdateToken: true
        default: false
        }
    }

    /// Whether an older change need not be told any more, wherever it stands.
    func replaces(_ older: Self) -> Bool {
        switch (self, older) {
        case (.setStartToken, _), (.removeStartToken, _): older.startTokenType == startTokenType
        case (.running(let type, _), .running(let olderType, _)): type == olderType
        case (.permissions, .permissions), (.profile, .profile): true
        case (.setUpdateToken, .setUpdateToken), (.setUpdateToken, .cardSeen), (.stopTracking, .stopTracking):
            isAboutSameCard(as: older)
        case (.cardSeen(let card), .cardSeen(let olderCard)): card == olderCard
        case (.cardEvent(_, let event, _), .cardEvent(_, let olderEvent, _)) where event == olderEvent:
            isAboutSameCard(as: older)
        default: finishedInstance != nil && older.isContentReport && isAboutSameCard(as: older)
        }
    }

    /// Whether a newer change need not be told, since this one tells as much. Of cards none does: the server may take the older one for
    /// nothing, as where it was sent without the secret that there is now, or where the card was let go in between.
    func covers(_ newer: Self) -> Bool {
        if case .setStartToken = self { self == newer } else { false }
    }

    /// The same with the card's token, where an older change has one.
    func with(tokenOf older: Self) -> Self? {
        guard case .cardSeen(let card) = self, case .setUpdateToken(card, _) = older else { return nil }
        return older
    }

    /// Whether this makes the change directly before it superfluous. Logins are merged only so: what lies between two of
    /// them happened to the first person.
    func replacesNeighbour(_ older: Self) -> Bool {
        switch (self, older) {
        case (.identify, .identify), (.logout, .identify), (.logout, .logout): true
        default: false
        }
    }

    private func isAboutSameCard(as other: Self) -> Bool {
        card != nil && card?.instance == other.card?.instance
    }
}

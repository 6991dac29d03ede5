import EyotContract

/// Rules about which change makes another one unnecessary.
extension DeviceChange.Action {
    /// The type of the start token that the change sets or removes; nil for other changes.
    private var startTokenType: String? {
        switch self {
        case .setStartToken(let type, _), .removeStartToken(let type): type
        default: nil
        }
    }

    /// Whether the change reports on a card's life without ending it. Such reports are the first to be dropped when
    /// there is no room.
    var isContentReport: Bool {
        if case .cardEvent(_, let event, _) = self { !event.isOver } else { false }
    }

    /// The card that ends with this change; nil for other changes.
    var finishedInstance: String? {
        switch self {
        case .cardEvent(let card, let event, _) where event.isOver: card.instance
        case .stopTracking(let card): card.instance
        default: nil
        }
    }

    /// Whether the change says that a card runs.
    func isSighting(of instance: String) -> Bool {
        switch self {
        case .cardSeen(let card), .setUpdateToken(let card, _): card.instance == instance
        default: false
        }
    }

    /// Whether the change names the user of the phone or reports a logout.
    var isAboutPerson: Bool {
        switch self {
        case .identify, .logout: true
        default: false
        }
    }

    /// Whether the change has a token. The system gives an app in the background only seconds to send one.
    var isPressing: Bool {
        switch self {
        case .setStartToken, .setUpdateToken: true
        default: false
        }
    }

    /// Whether an older change need not be sent any more, at any position.
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

    /// Whether a newer change need not be sent because this one says the same. It never holds for cards. The server may
    /// have ignored the older change, because a join secret was missing or the card was untracked in between.
    func covers(_ newer: Self) -> Bool {
        if case .setStartToken = self { self == newer } else { false }
    }

    /// Returns the change with the card's token, if an older change has one; otherwise nil.
    func with(tokenOf older: Self) -> Self? {
        guard case .cardSeen(let card) = self, case .setUpdateToken(card, _) = older else { return nil }
        return older
    }

    /// Whether this change makes the one directly before it unnecessary. Logins are merged only with a neighbour,
    /// because changes between two logins belong to the first user.
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

import EyotContract

/// The calls that the vendors' modules need.
extension InstallationLedger {
    /// Ends the remote starts of types that earlier launches registered, except `types` and those of this launch.
    func endStarts(except types: Set<String>) {
        let left = Set(state.startTokens.keys).subtracting(types).subtracting(startTypes)
        for type in left.sorted() { endStarts(of: type) }
    }

    /// Ends the remote starts of types, by their own names or by the names of their registrations; nil for all.
    ///
    /// - Returns: the types that this ends.
    func endStarts(of names: [String]?) -> Set<String> {
        let registered = startTypes.union(state.startTokens.keys)
        let types = names.map { Set($0.map { state.startNames[$0] ?? $0 }) } ?? registered
        let ended = types.intersection(registered)
        for type in ended.sorted() { endStarts(of: type) }
        return ended
    }

    /// Stops sending the start token of a type in this launch.
    func pauseStarts(of type: String) { startTypes.remove(type) }

    /// Stops tracking every card of a name.
    func stopTracking(allNamed name: String) {
        for card in state.cards.values where card.name == name { stopTracking(card.instance) }
    }

    /// Stops tracking the cards of a type, nil for all, and ends its remote starts.
    func cancel(type: String?) {
        stopTracking(allOf: type)
        _ = endStarts(of: type.map { [$0] })
    }

    /// The types and cards with a token that the server does not have yet.
    var unconfirmed: (types: [String], cards: [Card]) {
        let types = state.startTokens.filter { $0.value.confirmed == nil }.keys.sorted()
        let cards = followedCards.filter { $0.card.token != nil && !$0.card.isTokenConfirmed }
        return (types, cards.map(\.card.card))
    }
}

extension DeviceChange.Action {
    /// The subject of the change: ActivityKit's id of a card, or a type.
    var subject: String? {
        switch self {
        case .setStartToken(let type, _), .removeStartToken(let type), .running(let type, _): type
        default: card?.instance
        }
    }
}

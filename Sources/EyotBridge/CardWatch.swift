/// A watch over all cards for one reader.
///
/// A signal is only a reason to look again. The list of the system decides. So no change is missed if one of the
/// system's sequences is silent while another is not.
struct CardWatch: Sendable {
    /// Returns the types that are registered now.
    let types: @Sendable () async -> [any BridgedType]
    /// Reasons to look.
    let looks: AsyncStream<Void>
    /// Adds a reason to look.
    let changed: @Sendable () -> Void
    /// Receives each list that differs from the one before.
    let show: @Sendable (CardList) -> Void

    /// The reasons why the watch wakes.
    private enum Wakeup: Sendable {
        /// A reason to look; false if there are no more.
        case look(Bool)
        /// A type or a card is no longer followed.
        case silence
    }

    /// Watches until the task is cancelled.
    func run() async {
        var shown: CardList?
        var followedTypes: Set<String> = []
        var followedCards: Set<String> = []
        await withTaskGroup(of: Wakeup.self) { group in
            group.addTask { .look(await nextLook()) }
            while let wakeup = await group.next() {
                guard case .look(let goesOn) = wakeup else { continue }
                guard goesOn else { break }
                let types = await types()
                for type in types where followedTypes.insert(type.name).inserted {
                    group.addTask { await following { await type.followArrivals(changed) } }
                }
                var list: [BridgedCard] = []
                for type in types {
                    for card in await type.cards() {
                        list.append(card)
                        guard followedCards.insert(card.id).inserted else { continue }
                        group.addTask { await following { await type.follow(card.id, changed) } }
                    }
                }
                followedCards.formIntersection(list.map(\.id))
                let seen = CardList(list)
                if seen != shown { show(seen) }
                shown = seen
                group.addTask { .look(await nextLook()) }
            }
            group.cancelAll()
        }
    }

    private func following(_ work: () async -> Void) async -> Wakeup {
        await work()
        return .silence
    }

    private func nextLook() async -> Bool {
        for await _ in looks { return true }
        return false
    }
}

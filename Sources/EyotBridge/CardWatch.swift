/// Watches all cards for one reader.
///
/// Whatever is said to have happened is only a reason to look again: what counts is what the system lists then. So nothing
/// is missed because one of the system's sequences stayed silent while another spoke.
struct CardWatch: Sendable {
    /// The types that are registered by now.
    let types: @Sendable () async -> [any BridgedType]
    /// Reasons to look.
    let looks: AsyncStream<Void>
    /// Gives a reason.
    let changed: @Sendable () -> Void
    /// Takes every list that is not the one before.
    let show: @Sendable (CardList) -> Void

    /// Why the watch goes on.
    private enum Wakeup: Sendable {
        /// False when there are no more.
        case look(Bool)
        /// A type or a card is followed no longer.
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

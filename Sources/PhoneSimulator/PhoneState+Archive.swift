import EyotContract
import Foundation

extension PhoneState {
    /// The state that the phone keeps.
    public var archive: PhoneArchive {
        PhoneArchive(
            settings: settings, random: random, startToken: startToken.map(ArchivedToken.init),
            cards: cards.map(ArchivedCard.init), retiredTokens: retiredTokens, generation: generation,
            installation: installation, startedCards: startedCards, hasAllowed: hasAllowed, isForceQuit: isForceQuit,
            hasRebooted: hasRebooted, isOnline: isOnline, time: time, cardsOfOtherApps: cardsOfOtherApps,
            subscribedChannels: subscribedChannels.sorted(), updateMeter: updateMeter, startMeter: startMeter)
    }

    /// A phone as it was kept, its app not running. Apple's storage is empty: a push that was kept there is lost.
    public init(_ configuration: PhoneConfiguration, restoring archive: PhoneArchive) {
        self.init(configuration)
        settings = archive.settings
        random = archive.random
        startToken = archive.startToken?.value
        cards = archive.cards.map(\.card)
        retiredTokens = archive.retiredTokens
        generation = archive.generation
        installation = archive.installation
        startedCards = archive.startedCards
        hasAllowed = archive.hasAllowed
        isForceQuit = archive.isForceQuit
        hasRebooted = archive.hasRebooted
        isOnline = archive.isOnline
        time = archive.time
        cardsOfOtherApps = archive.cardsOfOtherApps ?? 0
        for card in cards where checks[card.type] == nil { declare(.anyObject(type: card.type)) }
        updateMeter = archive.updateMeter ?? BudgetMeter()
        startMeter = archive.startMeter ?? BudgetMeter()
        reportTokens()
        // Apple's knowledge of an offline phone may be as old as its archive.
        subscribedChannels = Set(archive.subscribedChannels ?? [])
        for channel in subscribedChannels.sorted() { emit(.subscribed(channel: channel)) }
        followChannels()
    }

    /// Reports this phone's tokens to Apple again.
    private mutating func reportTokens() {
        for token in cards.compactMap(\.updateToken) { emit(.tokenBorn(token)) }
        if let startToken { emit(.tokenBorn(startToken)) }
        for retired in retiredTokens {
            emit(.tokenBorn(retired.token.value))
            if retired.isAccepted != true { emit(.tokenDied(retired.token.value, since: retired.since)) }
        }
    }
}

import EyotContract
import Foundation

/// Cards: which are followed under which name, and how they end.
extension InstallationLedger {
    /// The most commands that wait for a card. An older one is dropped, because the newest has the state that the card
    /// should show.
    private static let commandLimit = 8

    /// Returns the name of a card that is known from an earlier launch.
    func knownName(of instance: String) -> String? { state.cards[instance]?.name }

    /// Returns instances in the order in which they were first seen. New ones come last, in their given order.
    func oldestFirst(_ instances: [String]) -> [String] {
        instances.enumerated().sorted { left, right in
            let leftSeen = state.cards[left.element]?.firstSeen ?? .distantFuture
            let rightSeen = state.cards[right.element]?.firstSeen ?? .distantFuture
            return (leftSeen, left.offset) < (rightSeen, right.offset)
        }.map(\.element)
    }

    /// Reports all cards of a type that run now. A card that is missing is gone, and is forgotten.
    ///
    /// - Parameter gone: a card that its follower could not find any more.
    func reportRunning(type: String, instances: [String], gone: String? = nil) {
        let running = running(type, instances, gone: gone)
        for card in state.cards.values where card.type == type && !running.contains(card.instance) {
            forget(card.instance)
        }
        record(runningReport(of: type, instances, gone: gone))
    }

    /// Returns the change that reports all cards of a type that run now.
    func runningReport(of type: String, _ instances: [String], gone: String? = nil) -> DeviceChange.Action {
        let told = running(type, instances, gone: gone).filter(DeviceLimits.isIdentifier)
        return .running(type: type, instances: Array(told.prefix(DeviceLimits.cardsPerReport)))
    }

    /// A card that appeared while the list was made is already followed, and runs too.
    private func running(_ type: String, _ instances: [String], gone: String?) -> [String] {
        let followed = followed.keys.filter { $0 != gone && state.cards[$0]?.type == type }
        return instances + followed.filter { !instances.contains($0) }.sorted()
    }

    /// Begins to follow every card of this type.
    ///
    /// - Returns: whether this is the first time in this launch, so that no task waits for new cards yet.
    func beginResuming(_ type: String) -> Bool {
        resumedTypes.insert(type)
        return awaitedTypes.insert(type).inserted
    }

    /// Whether new cards of this type are followed.
    func isResumed(_ type: String) -> Bool { resumedTypes.contains(type) }

    /// Records that a task is about to follow a card.
    ///
    /// - Parameter isWanted: whether the app named this card, which overrides an earlier `stopTracking`.
    /// - Parameter isPrepared: whether the app prepares for cards that appear.
    /// - Parameter shown: the state that the card shows; nil if it does not encode.
    /// - Returns: the data for the follower; nil if the card must not be followed.
    func follow(
        instance: String, name: String, type: String, isWanted: Bool, isPrepared: Bool, shown: StateDigest? = nil
    ) -> Lead? {
        if let known = followed[instance] {
            // The app may name a card after it was found under the name that its attributes give.
            guard isWanted, known.card.name != name else { return nil }
            stoppedFollowing(instance, number: known.number)
        }
        let origin: CardOrigin = isWanted ? .app : state.cards[instance] == nil ? .appeared : .earlierLaunch
        guard DeviceLimits.isIdentifier(name), DeviceLimits.isIdentifier(instance) else {
            report(.nameInvalid(type: type, instance: instance))
            return nil
        }
        let now = clock.now()
        var card =
            state.cards[instance] ?? KnownCard(instance: instance, name: name, type: type, firstSeen: now)
        guard card.isTracked || isWanted else { return nil }
        card.name = name
        card.isTracked = true
        // A launch sends the token again, because the answer has the state that the card should show now.
        card.isTokenConfirmed = false
        if origin == .app, channelNames.contains(name) { card.mayFollowChannel = true }
        card.isToGo = leaving.remove(instance) != nil || card.isToGo
        if isPrepared, origin == .appeared, !card.isToGo { card.isPrepared = false }
        if !card.isToGo {
            for older in followed.values where older.card.name == name { older.commands.yield(.removeNow) }
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: CardCommand.self, bufferingPolicy: .bufferingNewest(Self.commandLimit))
        followings += 1
        followed[instance] = Following(number: followings, card: card, shown: shown, commands: continuation)
        state.cards[instance] = card
        forgetOldCards()
        if card.isToGo { continuation.yield(.removeNow) }
        record(.cardSeen(card.card), isPressing: origin == .appeared)
        if origin != .earlierLaunch {
            record(.cardEvent(card.card, .started, digest: shown))
        } else if let shown, shown != card.toldDigest {
            // A push that the app slept through, as it does through nearly all.
            record(.cardEvent(card.card, .contentApplied, digest: shown))
        }
        if changedUnfollowed.contains(instance) {
            changedUnfollowed.removeAll { $0 == instance }
            record(.cardEvent(card.card, .locallyChanged))
        }
        say(.card(card.card, .followed(origin)))
        return Lead(
            number: followings, commands: stream, origin: origin, shown: shown, isPrepared: card.isPrepared,
            awaitsToken: card.token == nil && !card.mayFollowChannel)
    }

    /// Forgets the oldest cards of earlier launches beyond the limit. If the app never resumes a type, no report says
    /// which of them are gone.
    private func forgetOldCards() {
        let surplus = state.cards.count - DeviceLimits.cardsPerReport
        guard surplus > 0 else { return }
        let old = state.cards.values.filter { followed[$0.instance] == nil }.sorted { $0.firstSeen < $1.firstSeen }
        for card in old.prefix(surplus) { state.cards[card.instance] = nil }
    }

    /// Reports every followed card once more, because each answer has the state that a card should show. The report
    /// includes a token that the server could not accept before.
    func askForStates() {
        for following in followedCards { record(following.card.sighting) }
        for following in followed.values where following.card.isToGo { following.commands.yield(.removeNow) }
    }

    /// Reports a card once more that the server may have refused.
    func reportAnew(_ following: Following) {
        doubt(following.card.instance)
        record(following.card.sighting)
    }

    /// Records that the server may not have a card's token after all.
    func doubt(_ instance: String) {
        followed[instance]?.card.isTokenConfirmed = false
        state.cards[instance]?.isTokenConfirmed = false
    }

    /// The followed cards that the SDK is not ending, oldest first.
    var followedCards: [Following] {
        followed.values.filter { !$0.isEndOurs }.sorted { $0.card.firstSeen < $1.card.firstSeen }
    }

    func tokenSeen(_ instance: String, _ token: PushToken) {
        guard var following = followed[instance] else { return }
        guard following.toldToken != token else { return }
        let isNew = following.card.token != token
        following.toldToken = token
        following.card.token = token
        following.card.isTokenConfirmed = false
        followed[instance] = following
        state.cards[instance] = following.card
        // If a newer card has the name, a report of this one would replace the waiting one and come after the newer
        // card's. The server keeps the card of a name that it hears of last.
        if newestFollowing(of: following.card.name)?.number ?? following.number <= following.number {
            record(.setUpdateToken(following.card.card, token: token), isPressing: isNew)
        }
        say(.card(following.card.card, .tokenSeen))
        logToken(token, of: following.card.card)
    }

    /// Records that the app was given the channel of a name.
    func channelGiven(for name: String) {
        channelNames = (channelNames.filter { $0 != name } + [name]).suffix(DeviceLimits.cardsPerReport)
    }

    /// Reports a card's missing token after a while. A card that may follow a channel needs no token.
    func checkToken(of instance: String, origin: CardOrigin) {
        guard let following = followed[instance], following.card.token == nil, !following.card.mayFollowChannel
        else { return }
        let likely: TokenAbsence =
            seenPermissions?.activities == false
            ? .switchedOff : origin == .app ? .requestedWithoutToken : .notAllowedYet
        report(.tokenMissing(name: following.card.name, instance: instance, likely: likely))
    }

    func contentChanged(_ instance: String, to digest: StateDigest?) {
        guard let following = followed[instance] else { return }
        followed[instance]?.shown = digest
        record(.cardEvent(following.card.card, .contentApplied, digest: digest))
        say(.card(following.card.card, .contentChanged))
    }

    /// Records that the app has prepared for a card that appeared.
    func prepared(_ instance: String) {
        guard state.cards[instance]?.isPrepared == false else { return }
        followed[instance]?.card.isPrepared = true
        state.cards[instance]?.isPrepared = true
        save()
    }

    /// Reports that a person opened the app through a card.
    func tapped(_ name: String) {
        guard let following = newestFollowing(of: name) else { return }
        record(.cardEvent(following.card.card, .tapped))
    }

    /// Reports that the app changes a card by itself.
    ///
    /// A card that has just been requested may not be followed yet. It is remembered until it is.
    func changedLocally(_ instance: String) {
        guard let following = followed[instance] else {
            changedUnfollowed = (changedUnfollowed + [instance]).suffix(DeviceLimits.cardsPerReport)
            return
        }
        record(.cardEvent(following.card.card, .locallyChanged))
    }

    /// Records that a card reached another stage.
    ///
    /// - Parameters:
    ///   - isGone: whether a card that ended left the screen in the same moment.
    ///   - staleDate: when the card became stale; nil if it has not.
    ///   - permissions: the system's, read when the stage was seen.
    /// - Returns: whether the card is followed any longer.
    func stageChanged(
        _ instance: String, _ stage: CardStage, isGone: Bool, staleDate: Date?, permissions: DevicePermissions
    ) -> Bool {
        guard let following = followed[instance] else { return false }
        let isExplained = !stage.isRunning && !following.isEndOurs && isExplained(instance, by: permissions)
        if !stage.isRunning { forget(instance) }
        say(.card(following.card.card, .stage(stage)))
        if let staleDate { say(.card(following.card.card, .becameStale(at: staleDate))) }
        if let event = stage.event(isEndOurs: following.isEndOurs, isGone: isGone, isExplained: isExplained) {
            record(.cardEvent(following.card.card, event))
        } else if !stage.isRunning {
            didEnd(instance)
        }
        return stage.isRunning
    }

    /// Records that the SDK is about to end a card.
    func willEnd(_ instance: String) { followed[instance]?.isEndOurs = true }

    /// Reports that the SDK has ended a card. The stage may show the end before the SDK has checked it.
    func didEnd(_ instance: String) {
        guard let following = followed[instance], !following.isEndTold else { return }
        followed[instance]?.isEndTold = true
        forget(instance)
        record(.cardEvent(following.card.card, .ended))
    }

    /// Forgets a card that no longer runs. It may be visible for hours, and the next card of its name removes it.
    private func forget(_ instance: String) {
        guard let card = state.cards.removeValue(forKey: instance) else { return }
        state.endedNames.keep(card.name, of: instance)
    }

    /// Returns the name of a card that has ended; nil if the SDK has not followed it.
    func nameOfEnded(_ instance: String) -> String? { state.endedNames[instance] }

    /// Records that a card which was to be removed still runs. It is removed at the next look or the next launch.
    func isStillToGo(_ instance: String) {
        followed[instance]?.card.isToGo = true
        state.cards[instance]?.isToGo = true
        save()
    }

    /// Records that a card which the server wanted ended still runs. It will be reported again.
    func goesOn(_ instance: String) { followed[instance]?.isEndOurs = false }

    /// Stops tracking a card at the app's request. The card runs on.
    func stopTracking(_ instance: String) {
        guard var card = followed[instance]?.card ?? state.cards[instance], card.isTracked else { return }
        card.isTracked = false
        state.cards[instance] = card
        record(.stopTracking(card.card))
        if let following = followed[instance] { stoppedFollowing(instance, number: following.number) }
    }

    /// Stops tracking the cards of a type at the app's request, including later ones; nil for all types. The cards run
    /// on.
    func stopTracking(allOf type: String?) {
        if let type { resumedTypes.remove(type) } else { resumedTypes = [] }
        let cards = state.cards.values.filter { type == nil || $0.type == type }
        for card in cards.sorted(by: { $0.firstSeen < $1.firstSeen }) { stopTracking(card.instance) }
    }

    /// Records that the follower of a card has stopped. If the card has been followed again meanwhile, that is another
    /// follower.
    func stoppedFollowing(_ instance: String, number: Int) {
        guard let following = followed[instance], following.number == number else { return }
        followed[instance] = nil
        following.commands.finish()
        say(.card(following.card.card, .forgotten))
    }

    /// Passes the server's states to the tasks that follow the cards.
    ///
    /// - Parameter history: the history of the answer that has the states; nil for none.
    func pass(_ states: [CardState], history: String?) {
        for state in states { followed[state.instance]?.commands.yield(.show(state, history: history)) }
    }

    /// Returns the card that has a name now. An older card that it supersedes is still followed for a moment.
    func newestFollowing(of name: String) -> Following? {
        followed.values.filter { $0.card.name == name && !$0.isEndOurs }.max { $0.number < $1.number }
    }

    /// The progress of every card.
    var statuses: [StatusBoard.Subject: CardStatus] {
        var statuses: [StatusBoard.Subject: CardStatus] = [:]
        for name in Set(followed.values.map(\.card.name)) {
            guard let following = newestFollowing(of: name) else { continue }
            let status: CardStatus = following.card.isTokenConfirmed ? .registered : .pending
            statuses[.name(name)] = status
            statuses[.instance(following.card.instance)] = status
        }
        return statuses
    }
}

import EyotContract
import Foundation

extension PhoneState {
    /// Bytes of a token. Apple names no size; Live Activity tokens of 80 bytes have been seen.
    public static let tokenLength = 80

    /// Gives a card a new update token, even if the card has ended. The old token is invalid from now on. A card
    /// without a token gets none.
    ///
    /// - Returns: the new token.
    @discardableResult
    public mutating func rotateToken(ofCard id: String, now: Date) -> PushToken? {
        advance(to: now)
        guard let index = cards.firstIndex(where: { $0.id == id }), cards[index].phase != .dismissed,
            cards[index].updateToken != nil
        else { return nil }
        retireToken(ofCardAt: index, since: time, isReplaced: true)
        return giveToken(toCardAt: index)
    }

    /// Gives the phone a new push-to-start token. The old token is invalid from now on. A phone without a start token
    /// gets none.
    ///
    /// - Returns: the new token.
    @discardableResult
    public mutating func rotateStartToken(now: Date) -> PushToken? {
        advance(to: now)
        guard startToken != nil else { return nil }
        retireStartToken(isReplaced: true)
        return giveStartToken()
    }

    // MARK: Update tokens

    /// Whether the card may have a token. A card that a push started needs Allow first; a local card does not.
    func mayHaveToken(_ card: SimulatedCard) -> Bool {
        let isAllowed =
            card.origin == .local || settings.allowed == .automatically
            || (rules.allowHoldsForAllCards ? hasAllowed : card.isAllowed)
        return isAllowed && mayHaveTokens
    }

    /// Whether Apple can give the phone tokens.
    private var mayHaveTokens: Bool { isOnline || rules.issuesTokensOffline }

    mutating func issueDueTokens() {
        for index in cards.indices {
            guard let due = cards[index].tokenDueAt, due <= time,
                cards[index].phase != .pending || rules.pendingCardsGetToken,
                mayHaveToken(cards[index])
            else { continue }
            giveToken(toCardAt: index)
        }
    }

    @discardableResult
    private mutating func giveToken(toCardAt index: Int) -> PushToken? {
        let token = makeToken()
        cards[index].updateToken = token
        cards[index].tokenDueAt = nil
        if let token { emit(.updateToken(card: cards[index].id, token)) }
        wake(for: .token)
        return token
    }

    mutating func retireToken(ofCardAt index: Int, since moment: Date, isReplaced: Bool = false) {
        guard let token = cards[index].updateToken else { return }
        cards[index].updateToken = nil
        retire(token, ofCard: cards[index].id, since: moment, isReplaced: isReplaced)
    }

    /// Retires a token. Apple may still accept a replaced one, without effect.
    private mutating func retire(
        _ token: PushToken, ofCard card: String?, since moment: Date, isReplaced: Bool, isAccepted: Bool? = nil
    ) {
        let isAccepted = isAccepted ?? (isReplaced && !rules.replacingKillsToken)
        retiredTokens.append(
            RetiredToken(token: ArchivedToken(token), card: card, since: moment, isAccepted: isAccepted))
        if retiredTokens.count > Self.retiredTokenLimit { retiredTokens.removeFirst() }
        if !isAccepted { emit(.tokenDied(token, since: moment)) }
    }

    // MARK: The start token

    /// Creates the start token if the phone is ready for one and has none. It needs a running app, because the system
    /// creates the token at a launch.
    mutating func makeStartTokenIfDue() {
        guard startToken == nil, run != .notRunning, mayHaveTokens,
            settings.activitiesEnabled || rules.disabledGetsStartToken,
            configuration.os >= .startTokens, rules.startTokenMoment == .firstLaunch || hasRebooted
        else { return }
        giveStartToken()
    }

    @discardableResult
    private mutating func giveStartToken() -> PushToken? {
        startToken = makeToken()
        if let startToken { emit(.startToken(startToken)) }
        return startToken
    }

    mutating func retireStartToken(isReplaced: Bool = false, isAccepted: Bool? = nil) {
        guard let token = startToken else { return }
        startToken = nil
        retire(token, ofCard: nil, since: time, isReplaced: isReplaced, isAccepted: isAccepted)
    }

    /// The app is gone: Apple takes nothing more, for tokens that others have replaced neither.
    mutating func killRetiredTokens() {
        for index in retiredTokens.indices where retiredTokens[index].isAccepted == true {
            retiredTokens[index].isAccepted = false
            retiredTokens[index].since = time
            emit(.tokenDied(retiredTokens[index].token.value, since: time))
        }
    }

    private mutating func makeToken() -> PushToken? {
        let token = PushToken(bytes: random.bytes(Self.tokenLength))
        if let token { emit(.tokenBorn(token)) }
        return token
    }
}

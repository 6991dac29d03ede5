import EyotContract
import Foundation

/// An app's request to start a card itself; ActivityKit's `Activity.request`.
public struct CardRequest: Sendable, Hashable {
    /// The name of the attributes type.
    public var type: String
    /// The attributes as JSON.
    public var attributes: JSONValue
    /// The content to show.
    public var content: CardContent
    /// The source of updates.
    public var updates: CardUpdates
    /// When to begin, by the phone's clock; nil for now. Needs iOS 26.
    public var startDate: Date?
    /// Whether the app asks from within a `LiveActivityIntent`, which may be done in the background.
    public var isFromIntent: Bool
    /// Whether the card ends as soon as the person locks the phone or taps outside it. Needs iOS 18.
    public var isTransient: Bool

    /// A request.
    public init(
        type: String, attributes: JSONValue, content: CardContent, updates: CardUpdates = .local,
        startDate: Date? = nil, isFromIntent: Bool = false,
        isTransient: Bool = false
    ) {
        self.type = type
        self.attributes = attributes
        self.content = content
        self.updates = updates
        self.startDate = startDate
        self.isFromIntent = isFromIntent
        self.isTransient = isTransient
    }
}

/// Why the phone refuses to start a card; the cases of ActivityKit's `ActivityAuthorizationError` that can happen here.
public enum CardRefusal: String, Error, Sendable, Hashable, CaseIterable {
    /// Attributes, or attributes and state together, are over 4,096 bytes.
    case attributesTooLarge
    /// This version of iOS cannot do it.
    case unsupported
    /// Live Activities are off in Settings.
    case denied
    /// The phone shows as many cards as it can.
    case globalMaximumExceeded
    /// The app has as many cards as it may have.
    case targetMaximumExceeded
    /// The app is in the background.
    case visibility
    /// The card could not be made as asked. Also, by guess, for a channel id that is no base64 text.
    case persistenceFailure
    /// The caller's process is over.
    case missingProcessIdentifier
}

extension PhoneState {
    /// The app starts a card.
    ///
    /// - Returns: the card's id.
    public mutating func request(_ request: CardRequest, now: Date) throws(CardRefusal) -> String {
        advance(to: now)
        try require(configuration.os >= .activities, else: .unsupported)
        try require(settings.activitiesEnabled, else: .denied)
        try require(run == .foreground || request.isFromIntent, else: .visibility)
        if request.startDate != nil { try require(configuration.os >= .scheduling, else: .unsupported) }
        if case .channel(let id) = request.updates {
            try require(configuration.os >= .channels, else: .unsupported)
            try require(Self.isChannelID(id), else: .persistenceFailure)
        }
        let size = request.attributes.utf8.count + request.content.state.utf8.count
        try require(size <= Self.dataLimit, else: .attributesTooLarge)
        if let refusal = refusalOfMoreCards { throw refusal }
        // An app that requests a type has it.
        if checks[request.type] == nil { declare(.anyObject(type: request.type)) }
        // The token is due now but not there when this returns. It appears with the next call, as in ActivityKit.
        let id = addCard(request, origin: .local, timestamp: rules.requestHasTimestamp ? phoneTime : nil)
        cards[cards.count - 1].isTransient = request.isTransient
        return id
    }

    /// Applies the app's change to a card, in the foreground or not. `timestamp` is by the phone's clock, nil for now.
    /// ActivityKit reports nothing back; the result is for tests and for the log.
    ///
    /// - Returns: why nothing changed; nil if it did.
    @discardableResult
    public mutating func update(
        card id: String, to content: CardContent, alerts: Bool = false, timestamp: Date? = nil, now: Date
    ) -> IgnoreReason? {
        advance(to: now)
        return changeLocally(
            card: id,
            CardChange(content: content, alerts: alerts, isLocal: true, timestamp: timestamp ?? timestampOfNow),
            isTimed: timestamp != nil)
    }

    /// Applies the app's end to a card, in the foreground or not. Without content the card keeps its present content.
    ///
    /// - Returns: why nothing changed; nil if it did.
    @discardableResult
    public mutating func end(
        card id: String, content: CardContent?, dismissal: CardDismissal, timestamp: Date? = nil, now: Date
    ) -> IgnoreReason? {
        advance(to: now)
        return changeLocally(
            card: id,
            CardChange(content: content, end: dismissal, isLocal: true, timestamp: timestamp ?? timestampOfNow),
            isTimed: timestamp != nil)
    }

    /// The timestamp of a local change that gives none.
    private var timestampOfNow: Date? { rules.localChangeHasTimestamp ? phoneTime : nil }

    /// - Parameter isTimed: whether the app gave the time of the change. It then asked for the order of timestamps, so
    ///   a change that loses in that order is no fault. The SDK's answer to a token often comes after the push with the
    ///   same state.
    private mutating func changeLocally(card id: String, _ change: CardChange, isTimed: Bool) -> IgnoreReason? {
        guard let index = cards.firstIndex(where: { $0.id == id }) else { return .noSuchCard }
        do throws(IgnoreReason) {
            try apply(change, toCardAt: index)
            return nil
        } catch {
            if !isTimed || error != .olderTimestamp {
                note(fault: "a local change of card \(id) was ignored: \(error.explanation)")
            }
            return error
        }
    }

    private func require(_ condition: Bool, else refusal: CardRefusal) throws(CardRefusal) {
        guard condition else { throw refusal }
    }
}

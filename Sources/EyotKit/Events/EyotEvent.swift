import EyotContract
import Foundation

/// An event that an app may want to know about. Events come in the order in which they happened.
public enum EyotEvent: Sendable, Hashable {
    /// The server has registered this installation under this id.
    case registered(device: String)
    /// The server has applied this many changes.
    case confirmed(changes: Int)
    /// The app's permissions for Live Activities. The event comes at the start and whenever a switch in Settings
    /// changes. They are independent of the permission for notifications and have no prompt. An app that wants them
    /// back must ask the user in its own words.
    case permissions(DevicePermissions)
    /// The progress of a registered type's push-to-start token.
    case startToken(type: String, StartTokenStep)
    /// An event of a card.
    case card(Card, CardStep)
    /// A card shows a state that the server answered.
    case stateApplied(name: String, version: Int)
    /// A problem that the app or its developer may solve.
    case problem(EyotProblem)
}

/// The progress of a push-to-start token.
public enum StartTokenStep: Sendable, Hashable {
    /// The phone has a token, and the SDK is about to send it.
    case seen
    /// The server has the token.
    case confirmed
    /// The type is no longer registered, and the SDK is about to report that.
    case removed
    /// The server has removed the token.
    case removalConfirmed
}

/// The events of a card while the SDK follows it.
public enum CardStep: Sendable, Hashable {
    /// The SDK began to follow the card.
    case followed(CardOrigin)
    /// The card has an update token, new or rotated, and the SDK is about to send it.
    case tokenSeen
    /// The server has the card's token.
    case tokenConfirmed
    /// The card shows other content than before.
    case contentChanged
    /// The card reached another stage. The first stage is reported too. The stage does not say whether a person, a push
    /// or the app caused it.
    case stage(CardStage)
    /// The card's stale date has passed. The event follows the stage.
    case becameStale(at: Date)
    /// The SDK no longer follows the card. It ended, disappeared or was replaced, or the app asked for it.
    case forgotten
}

/// The way in which the SDK found a card.
public enum CardOrigin: Sendable, Hashable {
    /// The app named the card, usually one that it has just requested.
    case app
    /// The card appeared and was not named by the app, for example a card that a push started.
    case appeared
    /// The card is known from an earlier launch.
    case earlierLaunch
}

/// The progress of a card, by its name.
public enum CardStatus: String, Sendable, Hashable, CaseIterable {
    /// No card of this name is followed.
    case notTracked
    /// The card is followed, and the server does not have its token yet.
    case pending
    /// The server has its token.
    case registered
}

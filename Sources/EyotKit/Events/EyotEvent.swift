import EyotContract
import Foundation

/// Something that an app may want to know about, in the order in which it happened.
public enum EyotEvent: Sendable, Hashable {
    /// The server knows this installation, under this id.
    case registered(device: String)
    /// The server has taken this many changes.
    case confirmed(changes: Int)
    /// What the person allows the app: at the start, and whenever a switch in Settings is turned. It has nothing to do with
    /// the permission for notifications, and there is no prompt for it: an app that wants it back says so itself.
    case permissions(DevicePermissions)
    /// How far the push-to-start token of a registered type has come.
    case startToken(type: String, StartTokenStep)
    /// Something happened to a card.
    case card(Card, CardStep)
    /// A state that the server answered is on the card.
    case stateApplied(name: String, version: Int)
    /// Something is not as it should be.
    case problem(EyotProblem)
}

/// How far a push-to-start token has come.
public enum StartTokenStep: Sendable, Hashable {
    /// The phone has one, and the server is about to be told.
    case seen
    /// The server has it.
    case confirmed
    /// The type is not registered any more, and the server is about to be told.
    case removed
    /// The server has forgotten it.
    case removalConfirmed
}

/// What can happen to a card while the SDK follows it.
public enum CardStep: Sendable, Hashable {
    /// It is followed from now on.
    case followed(CardOrigin)
    /// It has an update token, new or rotated, and the server is about to be told.
    case tokenSeen
    /// The server has its token.
    case tokenConfirmed
    /// It shows other content than before.
    case contentChanged
    /// It came to another stage of its life; the first one is told too. Whether a person, a push or the app brought it there,
    /// the stage does not say.
    case stage(CardStage)
    /// Its stale date, this one, has passed; told with the stage.
    case becameStale(at: Date)
    /// It is no longer followed: it ended, went, was replaced, or the app asked for it.
    case forgotten
}

/// How the SDK came to follow a card.
public enum CardOrigin: Sendable, Hashable {
    /// The app named it: it has just requested it.
    case app
    /// It was there or appeared without the app having named it, as a card does that was started by a push.
    case appeared
    /// It is known from an earlier launch.
    case earlierLaunch
}

/// How far a card has come, by its name.
public enum CardStatus: String, Sendable, Hashable, CaseIterable {
    /// No card of this name is followed.
    case notTracked
    /// It is followed, and the server does not have its token yet.
    case pending
    /// The server has its token.
    case registered
}

import EyotKit
import Foundation

extension Braze.LiveActivities {
    /// An event of a type or card.
    public enum UpdateEvent: Sendable, Hashable {
        /// An event of a registered type.
        case activityType(ActivityTypeEvent)
        /// An event of a card.
        case activityInstance(ActivityInstanceEvent)
    }

    /// How far a type's push-to-start token has come.
    public enum ActivityTypeEvent: Sendable, Hashable {
        /// The phone has a start token, which is about to be sent to the server.
        case pushToStartTokenRead(activityType: String)
        /// The server has it.
        case pushToStartTokenFlushed(activityType: String)
        /// The type is no longer registered, which is about to be sent to the server.
        case pushToStartUnregistered(activityType: String)
        /// The server has forgotten it.
        case pushToStartUnregisterFlushed(activityType: String)
    }

    /// The origin of a card.
    public enum LaunchSource: Sendable, Hashable {
        /// The app.
        case local
        /// A push, or so it seems to the phone: the app has not named the card.
        case pushToStart
    }

    /// An event of a card.
    public enum ActivityInstanceEvent: Sendable, Hashable {
        /// It is followed from now on.
        case started(activityId: String, activityType: String, pushTokenTag: String, launchSource: LaunchSource)
        /// It is followed again; an earlier launch did.
        case resumed(activityId: String, activityType: String, pushTokenTag: String)
        /// It is shown, and up to date.
        case active(activityId: String, activityType: String, pushTokenTag: String)
        /// It shows other content than before.
        case contentUpdated(activityId: String, activityType: String, pushTokenTag: String)
        /// The card has an update token, new or rotated, which is about to be sent to the server.
        case pushTokenUpdated(activityId: String, activityType: String, pushTokenTag: String)
        /// The server has its token.
        case pushTokenFlushed(activityId: String, activityType: String, pushTokenTag: String)
        /// Its stale date has passed.
        case stale(activityId: String, activityType: String, pushTokenTag: String, staleDate: Date)
        /// It has gone from view.
        case dismissed(activityId: String, activityType: String, pushTokenTag: String)
        /// It has ended, and is still in view.
        case ended(activityId: String, activityType: String, pushTokenTag: String)
    }
}

extension Braze.LiveActivities.UpdateEvent {
    /// Translates an event into Braze's; nil if Braze has no such event.
    init?(_ event: EyotEvent) {
        switch event {
        case .startToken(let type, let step): self = .activityType(.init(type, step))
        case .card(let card, let step):
            guard let event = Braze.LiveActivities.ActivityInstanceEvent(card.instance, card.type, card.name, step)
            else { return nil }
            self = .activityInstance(event)
        default: return nil
        }
    }
}

extension Braze.LiveActivities.ActivityTypeEvent {
    fileprivate init(_ type: String, _ step: StartTokenStep) {
        self =
            switch step {
            case .seen: .pushToStartTokenRead(activityType: type)
            case .confirmed: .pushToStartTokenFlushed(activityType: type)
            case .removed: .pushToStartUnregistered(activityType: type)
            case .removalConfirmed: .pushToStartUnregisterFlushed(activityType: type)
            }
    }
}

extension Braze.LiveActivities.ActivityInstanceEvent {
    /// Nil if the step is not new: a card that is no longer followed has ended, disappeared or been released by the
    /// app.
    fileprivate init?(_ id: String, _ type: String, _ tag: String, _ step: CardStep) {
        switch step {
        case .followed(.app):
            self = .started(activityId: id, activityType: type, pushTokenTag: tag, launchSource: .local)
        case .followed(.appeared):
            self = .started(activityId: id, activityType: type, pushTokenTag: tag, launchSource: .pushToStart)
        case .followed(.earlierLaunch): self = .resumed(activityId: id, activityType: type, pushTokenTag: tag)
        case .tokenSeen: self = .pushTokenUpdated(activityId: id, activityType: type, pushTokenTag: tag)
        case .tokenConfirmed: self = .pushTokenFlushed(activityId: id, activityType: type, pushTokenTag: tag)
        case .contentChanged: self = .contentUpdated(activityId: id, activityType: type, pushTokenTag: tag)
        case .stage(.active): self = .active(activityId: id, activityType: type, pushTokenTag: tag)
        case .becameStale(let date):
            self = .stale(activityId: id, activityType: type, pushTokenTag: tag, staleDate: date)
        case .stage(.ended): self = .ended(activityId: id, activityType: type, pushTokenTag: tag)
        case .stage(.dismissed): self = .dismissed(activityId: id, activityType: type, pushTokenTag: tag)
        case .stage(.pending), .stage(.stale), .forgotten: return nil
        }
    }
}

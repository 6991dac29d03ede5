/// The kinds of events. The raw values are what callers see and filter by.
package enum EventKind: String, Sendable, Hashable, CaseIterable {
    case activityDeclared = "activity.declared"
    /// Ended by itself, at the time that was planned.
    case activityEnded = "activity.ended"
    case activityHalted = "activity.halted"
    case activityResumed = "activity.resumed"
    /// Its newest state passed its stale date.
    case activityStale = "activity.stale"

    /// No push of the app gets through in an environment, for a reason that is not the app's.
    case appFailing = "app.failing"
    case appHalted = "app.halted"
    case appPaused = "app.paused"
    /// A push got through again.
    case appRecovered = "app.recovered"
    case appResumed = "app.resumed"

    case broadcastAccepted = "broadcast.accepted"
    case broadcastRefused = "broadcast.refused"
    case broadcastUnknown = "broadcast.unknown"

    /// It came too late: a newer state was there, so it has changed nothing.
    case callLate = "call.late"
    /// It was wrong, or could not be carried out, and has changed nothing.
    case callRefused = "call.refused"

    case cardAppeared = "card.appeared"
    case cardDismissed = "card.dismissed"
    /// Ended by the app, by iOS, or because its time was over.
    case cardEnded = "card.ended"
    case cardReopened = "card.reopened"
    case cardReplaced = "card.replaced"
    case cardUnlisted = "card.unlisted"
    case cardUntracked = "card.untracked"
    /// Taken from a phone that has another user now.
    case cardWithdrawn = "card.withdrawn"

    case deviceIdentified = "device.identified"
    case deviceLoggedOut = "device.loggedOut"
    case devicePermissions = "device.permissions"
    case deviceRegistered = "device.registered"

    /// All that the request applies to has it, or is known not to get it.
    case operationDone = "operation.done"
    /// A later request superseded it before it was done.
    case operationSuperseded = "operation.superseded"

    /// Read from what Apple accepted, page by page, and never stored: a goal would make a million of them.
    case pushAccepted = "push.accepted"
    case pushRefused = "push.refused"
    case pushUnknown = "push.unknown"

    case startCancelled = "start.cancelled"
    /// Apple accepted it or may have, and no card appeared.
    case startExpired = "start.expired"
    case startRefused = "start.refused"
    case startReplanned = "start.replanned"
    /// Apple refused the start token in a way that may be the app's fault.
    case startSuspected = "start.suspected"
    case startUnknown = "start.unknown"

    case startTokenDead = "token.start.dead"
    case startTokenRemoved = "token.start.removed"
    case startTokenReplaced = "token.start.replaced"
    case startTokenRestored = "token.start.restored"
    case startTokenSet = "token.start.set"

    case updateTokenDead = "token.update.dead"
    case updateTokenReplaced = "token.update.replaced"
    case updateTokenRestored = "token.update.restored"
    case updateTokenSet = "token.update.set"

    case typeHalted = "type.halted"
    case typeResumed = "type.resumed"
}

extension EventKind {
    /// The kinds of events that are stored.
    package static let recorded = allCases.filter { $0 != .pushAccepted }

    /// The kinds that a name stands for. A name such as `card.*` stands for all stored kinds that begin so.
    package static func matching(_ name: String) -> [EventKind] {
        guard name.hasSuffix(".*") else { return EventKind(rawValue: name).map { [$0] } ?? [] }
        return recorded.filter { $0.rawValue.hasPrefix(name.dropLast()) }
    }

    /// Whether its events are about a device.
    package var isOfDevice: Bool {
        ["card.", "device.", "push.", "start.", "token."].contains { rawValue.hasPrefix($0) }
    }

    /// Whether its events are about the app or a type, and about no activity and no device.
    package var isOfWholeApp: Bool { ["app.", "type."].contains { rawValue.hasPrefix($0) } }

    /// Whether it tells that an accepted request is concluded, which is no part of a phone's story.
    package var isConclusion: Bool { self == .operationDone || self == .operationSuperseded }

    /// Whether its reason is the name of a type, which apps choose.
    package var hasTypeAsReason: Bool {
        switch self {
        case .startTokenRemoved, .startTokenReplaced, .startTokenRestored, .startTokenSet, .typeHalted, .typeResumed:
            true
        default: false
        }
    }
}

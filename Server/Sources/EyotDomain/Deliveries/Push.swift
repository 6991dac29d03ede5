import APNSWire
import EyotContract

/// The content of a push to one replica, decided but not rendered. Replicas with equal pushes share a template.
package struct Push: Sendable, Hashable {
    package var event: LiveActivityEvent
    /// The declaration that this push brings the replica to; 0 for an end without a declaration.
    package var version: Version
    /// The declaration with the state that it carries.
    package var stateVersion: Version
    /// The declaration with the alert that it carries.
    package var alertVersion: Version
    /// The declaration with the attributes that start the card.
    package var attributesVersion = 0
    package var priority: APNSPriority
    /// Whether the card leaves the screen at once, because another card took its name or its phone has another user.
    package var leavesAtOnce = false
    package var asksForToken = false
    /// The language of the alert's texts; nil for the alert's own texts.
    package var localization: String?
    /// Whether it waits for the spacing after the card's last update.
    package var isSpaced = false
    /// Whether its alert is left out because it does not fit beside the state.
    package var leavesAlertOut = false

    package init(
        event: LiveActivityEvent, version: Version, stateVersion: Version, alertVersion: Version, priority: APNSPriority
    ) {
        self.event = event
        self.version = version
        self.stateVersion = stateVersion
        self.alertVersion = alertVersion
        self.priority = priority
    }
}

extension Push {
    /// The first second that the push may carry.
    ///
    /// - Parameters:
    ///   - lastSecond: the second of the last push, which every push has to follow (R7).
    ///   - spacing: seconds between two updates of the card.
    package func firstSecond(after lastSecond: Int, spacing: Int) -> Int {
        lastSecond + (isSpaced ? max(1, spacing) : 1)
    }
}

/// Looks up a declaration of an activity by its version.
package typealias DeclarationLookup = (Int) throws -> Declaration?

extension Push {
    /// A dismissal date in the past. Apple then removes the card at once.
    private static let longPast = 1

    /// Builds the payload of the push.
    package func payload(type: String?, declaration: DeclarationLookup) throws -> LiveActivityPayload {
        let newest = try declaration(version)?.content
        let shown = try declaration(stateVersion)
        let state = shown?.content
        var payload = LiveActivityPayload(event: event)
        let end = event == .end ? try declaration(version) : nil
        payload.contentState = end.map { $0.lastState(after: shown) } ?? state?.state
        payload.alert = try alert(declaration)?.text(in: localization)
        (event == .end ? newest : state)?.fill(&payload)
        switch event {
        case .start:
            payload.further = try declaration(attributesVersion)?.content.aps?.object
            payload.staleDate = state?.staleDate
            payload.attributesType = type
            payload.attributes = try declaration(attributesVersion)?.attributes
            payload.inputPushToken = asksForToken
        case .update:
            payload.further = state?.furtherOfRunning
            payload.staleDate = state?.staleDate
        case .end:
            payload.further = newest?.furtherOfRunning
            payload.dismissalDate = leavesAtOnce ? Self.longPast : newest?.dismissalDate
        }
        return payload
    }
}

extension Content {
    /// Writes what a payload of each kind carries beside state, alert and dates.
    package func fill(_ payload: inout LiveActivityPayload) {
        payload.relevanceScore = relevanceScore
    }
}

extension Declaration {
    /// The last state of a card after this end: the end's own state, unless the card's state is the later truth (R5,
    /// R14). An end that says when it was true may have been outdated when it came. A state after it, which does not
    /// say so, is then newer than both.
    package func lastState(after shown: Declaration?) -> JSONValue? {
        if let asOf, let shown, shown.asOf.map({ asOf < $0 }) ?? (shown.version > version) {
            return shown.content.state
        }
        return content.state ?? shown?.content.state
    }
}

extension Push {
    /// The alert that it carries. A start carries its own alert for starts, unless a newer alert supersedes it.
    func alert(_ declaration: DeclarationLookup) rethrows -> AlertText? {
        let content = try declaration(alertVersion)?.content
        return event == .start && alertVersion == attributesVersion ? content?.alertOfStarts : content?.alert?.text
    }
}

extension Content {
    /// Its further members of `aps` for a card that runs, without the request for a token.
    package var furtherOfRunning: JSONObject? {
        var object = aps?.object
        object?[LiveActivityKey.inputPushToken] = nil
        return object
    }

    /// Whether a start from it asks for a token by a further member of `aps`.
    package var asksForToken: Bool { aps?.object?[LiveActivityKey.inputPushToken] != nil }
}

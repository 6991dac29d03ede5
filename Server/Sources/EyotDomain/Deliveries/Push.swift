import APNSWire
import EyotContract

/// What is to be sent to one replica, decided and not yet rendered. Replicas with equal pushes share a template.
package struct Push: Sendable, Hashable {
    package var event: LiveActivityEvent
    /// The declaration that this push brings the replica to.
    package var version: Int
    /// The declaration whose state it carries; 0 where there is none to carry.
    package var stateVersion: Int
    /// The declaration whose alert it carries, 0 for none.
    package var alertVersion: Int
    /// The declaration whose attributes start the card, 0 for none.
    package var attributesVersion = 0
    package var priority: APNSPriority
    /// The card makes way for another one: it goes from the screen at once.
    package var makesWay = false
    package var asksForToken = false
    /// The language of the alert's texts; nil is what is for everyone else.
    package var localization: String?
    /// It may wait until the card's last update is long enough ago.
    package var isSpaced = false
    /// Its alert had no room beside the state, which is of another declaration, and does not leave with it.
    package var leavesAlertOut = false

    package init(
        event: LiveActivityEvent, version: Int, stateVersion: Int, alertVersion: Int, priority: APNSPriority
    ) {
        self.event = event
        self.version = version
        self.stateVersion = stateVersion
        self.alertVersion = alertVersion
        self.priority = priority
    }
}

extension Push {
    /// The first second that it may carry.
    ///
    /// - Parameter lastSecond: that of the last push, which another one always has to follow (R7).
    package func firstSecond(after lastSecond: Int, spacing: Int) -> Int {
        lastSecond + (isSpaced ? max(1, spacing) : 1)
    }
}

/// Looks up a declaration of the activity in question by its version.
package typealias DeclarationLookup = (Int) throws -> Declaration?

extension Push {
    /// A dismissal date long past: Apple removes the card at once.
    private static let longPast = 1

    /// The payload that says this.
    package func payload(type: String?, declaration: DeclarationLookup) throws -> LiveActivityPayload {
        let newest = try declaration(version)?.content
        let shown = try declaration(stateVersion)
        let state = shown?.content
        var payload = LiveActivityPayload(event: event)
        let end = event == .end ? try declaration(version) : nil
        payload.contentState = end.map { $0.lastState(after: shown) } ?? state?.state
        payload.alert = try alert(declaration)?.text(in: localization)
        payload.relevanceScore = (event == .end ? newest : state)?.relevanceScore
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
            payload.dismissalDate = makesWay ? Self.longPast : newest?.dismissalDate
        }
        return payload
    }
}

extension Declaration {
    /// The state that a card shows after this end: its own, unless the card's is the later truth (R5, R14).
    package func lastState(after shown: Declaration?) -> JSONValue? {
        if let asOf, let theirs = shown?.asOf, asOf < theirs { return shown?.content.state }
        return content.state ?? shown?.content.state
    }
}

extension Push {
    /// The alert it carries. A start carries the one for starts, unless a newer alert for everyone takes its place.
    func alert(_ declaration: DeclarationLookup) rethrows -> AlertText? {
        let content = try declaration(alertVersion)?.content
        return event == .start && alertVersion == attributesVersion ? content?.alertOfStarts : content?.alert?.text
    }
}

extension Content {
    /// Its further members of `aps` for a card that runs: that is asked for no token.
    package var furtherOfRunning: JSONObject? {
        var object = aps?.object
        object?[LiveActivityKey.inputPushToken] = nil
        return object
    }

    /// Whether a start from it asks for a token by a further member.
    package var asksForToken: Bool { aps?.object?[LiveActivityKey.inputPushToken] != nil }
}

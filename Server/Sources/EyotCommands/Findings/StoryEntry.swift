import APNSWire
import EyotDomain

/// One thing that happened to a phone, or to an activity on it, told for a person.
package struct StoryEntry: Sendable, Hashable {
    package var at: Instant
    /// What happened, as a dotted word: the kind of an event, `push.accepted`, `start.sent` or `card.shown`.
    package var event: String
    package var text: String
    /// The declaration that it is about; 0 if there is none.
    package var version: Version = 0
    /// Why, as a word of Eyot or of Apple.
    package var reason: String?
    /// The id of the push at Apple.
    package var apnsID: String?
    /// Declarations that never left for the card, because this one was newer.
    package var superseded: [Version] = []
    /// The operation that declared the version.
    package var operation: Int64?
    /// The key of the control plane that declared the version, or that a refused call was made with.
    package var key: Int64?
    /// The ids of the call that declared the version, or that was refused.
    package var request: RequestID?

    package init(_ event: String, at: Instant, _ text: String, version: Version = 0) {
        self.at = at
        self.event = event
        self.text = text
        self.version = version
    }
}

// MARK: - Entries

extension StoryEntry {
    init(_ event: Event) {
        self.init(
            event.fact.kind.rawValue, at: event.at, event.fact.meaning, version: event.fact.version)
        reason = event.fact.reason
        (request, key) = (event.call?.request, event.call?.key)
    }

    /// A broadcast, which all cards of the activity's channel get.
    init(broadcast event: Event) {
        self.init(event)
        text = "Apple accepted a broadcast of version \(version) to the activity's channel."
    }

    /// What was declared, and by which operation. Nil stands for an operation that is no longer kept.
    init(_ event: Event, by operation: Operation?) {
        self.init(event)
        let verb = event.fact.reason.map { " (\($0))" } ?? ""
        let origin = operation.map { " by operation \($0.id)" } ?? ""
        text = "Version \(event.fact.version) was declared\(verb)\(origin)."
        (self.operation, key, request) = (operation?.id, operation?.key, operation?.request)
    }

    /// Adds for which cards a version was, and when its state was true.
    ///
    /// - Parameter concerns: Whether the newest of the phone's own versions is this one.
    mutating func tell(_ declaration: Declaration, concerns: Bool) {
        if case .members(let count) = declaration.scope {
            text += count == 1 ? " It was for one card" : " It was for \(count) cards"
            text += concerns ? ", and for this one." : "."
        }
        if let asOf = declaration.asOf { text += " Its state was true at \(asOf.rfc3339)." }
    }

    /// What Apple accepted for a card.
    ///
    /// - Parameter superseded: The declarations for the card since the one that Apple accepted before.
    init(_ accepted: Acceptances, of ordinal: Int, superseding superseded: [Version]) {
        let content = accepted.content
        let what =
            switch content.event {
            case .start: "the start of the card, with version \(content.version)"
            case .update: "version \(content.version) for the card"
            case .end: content.version > 0 ? "the card's end, version \(content.version)" : "the card's end"
            }
        var text = "Apple accepted \(what)\(content.alertVersion > 0 ? ", with an alert" : "")."
        if let first = superseded.first, let last = superseded.last {
            text += first == last ? " Version \(first)" : " Versions \(first) to \(last)"
            text += " never left, because this one was newer."
        }
        self.init("push.accepted", at: accepted.at, text, version: content.version)
        self.superseded = superseded
        apnsID = APNSID(accepted, of: ordinal).description
    }

    /// A start that left, with no answer or no card yet.
    init(sentAt: Instant, version: Version) {
        self.init("start.sent", at: sentAt, "The start was sent to Apple.", version: version)
    }

    init(_ echo: Echo) {
        let shown = echo.version > 0 ? "version \(echo.version)" : "a state that was not declared"
        self.init("card.shown", at: echo.at, "The phone reported that the card shows \(shown).", version: echo.version)
    }
}

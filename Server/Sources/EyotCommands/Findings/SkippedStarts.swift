import EyotContract
import EyotDomain

/// Starts of an activity that led to no card on a phone, as the phone's events tell it. Which phones a start skipped is
/// counted and not kept, so only what the phone lacked at that moment is told.
struct SkippedStarts {
    let device: Device
    let type: String?
    /// The events of the phone, oldest first.
    let events: [Event]
    /// The phone's places in the activity.
    let places: [Replica]
    /// Whether the phone has a start token that works now.
    let hasToken: Bool

    /// Seconds between a call and the places that it reserves.
    private static let span = 1.0

    /// An entry for each start without a card, unless the one before has the same reason.
    ///
    /// - Parameter starts: When the activity was started, oldest first.
    func entries(of starts: [Instant]) -> [StoryEntry] {
        var last: String?
        return starts.compactMap { start in
            let hasPlace = places.contains { abs($0.createdAt.seconds(since: start)) < Self.span }
            let reason = hasPlace ? nil : lack(at: start)
            defer { last = reason?.word }
            guard let reason, reason.word != last else { return nil }
            var entry = StoryEntry(
                "start.skipped", at: start, "The activity was started, and this phone got no card: \(reason.text).")
            entry.reason = reason.word
            return entry
        }
    }

    /// What kept a start from the phone at a moment; nil if nothing is known to have.
    private func lack(at start: Instant) -> (word: String, text: String)? {
        if device.createdAt > start { return ("notRegistered", "it had not registered yet") }
        if isOff(at: start) {
            return (StartFailure.disabled.rawValue, "Live Activities were switched off for the app")
        }
        if isDismissed(at: start) {
            return (StartFailure.dismissed.rawValue, "the person had removed a card of the activity")
        }
        if !hasToken(at: start) { return (StartFailure.noStartToken.rawValue, "it had no start token that works") }
        return nil
    }

    private func isOff(at start: Instant) -> Bool {
        let switches = events.filter { $0.fact.kind == .devicePermissions }
        if let before = switches.last(where: { $0.at <= start }) { return before.isOff }
        // A switch that was never changed stands as it is now.
        return switches.isEmpty && !device.permissions.activities
    }

    private func isDismissed(at start: Instant) -> Bool {
        let ofCards = events.last { event in
            event.at <= start && places.contains { $0.activity == event.activity }
                && [.cardAppeared, .cardDismissed].contains(event.fact.kind)
        }
        return ofCards?.fact.kind == .cardDismissed
    }

    private func hasToken(at start: Instant) -> Bool {
        let gained: Set<EventKind> = [.startTokenSet, .startTokenReplaced, .startTokenRestored]
        let lost: Set<EventKind> = [.startTokenRemoved, .startTokenDead]
        let ofToken = events.filter {
            gained.contains($0.fact.kind) && $0.fact.reason == type || lost.contains($0.fact.kind)
        }
        if let before = ofToken.last(where: { $0.at <= start }) { return gained.contains(before.fact.kind) }
        // Before the first event that is kept, the opposite of it held.
        return ofToken.first.map { lost.contains($0.fact.kind) } ?? hasToken
    }
}

extension Event {
    /// Whether the person switched Live Activities off by it.
    var isOff: Bool { fact.reason == DevicePermissions.nothing }

    /// Whether a call declared a state by it that may have started cards.
    var mayHaveStarted: Bool {
        let verbs: [DeclarationRequest.Verb] = [.start, .put]
        return fact.kind == .activityDeclared && verbs.contains { $0.rawValue == fact.reason }
    }
}

import EyotContract
import EyotDomain

/// A phone that could be started now, and could not when the activity was started.
extension Diagnose {
    /// What a phone lacked, in two halves of a sentence, and since when it lacks it no more.
    private struct Lack {
        var before: String
        var now: String
        var until: Instant
        var confidence = Finding.Confidence.certain
    }

    /// What the phone lacked at the last start of the activity, as its events tell it; nil if it lacked nothing.
    func missed(by activity: Activity) throws -> Finding? {
        guard let start = try lastStart(of: activity) else { return nil }
        let events = try newestEvents(about: .device(device.id))
        guard let lack = lacks(since: start, events, type: activity.type).max(by: { $0.until < $1.until }) else {
            return nil
        }
        return Finding(
            .startMissed,
            "The phone \(lack.before) when the activity was started at \(start.rfc3339). It \(lack.now) since "
                + "\(lack.until.rfc3339).", lack.confidence, [seen])
    }

    private func lastStart(of activity: Activity) throws -> Instant? {
        try newestEvents(about: .activity(activity.id)).first(where: \.mayHaveStarted)?.at
    }

    /// - Parameter events: The newest first.
    private func lacks(since start: Instant, _ events: [Event], type: String?) -> [Lack] {
        // A reinstalled app is a new phone to the server.
        guard device.createdAt <= start else {
            return [Lack(before: "had not registered yet", now: "is registered", until: device.createdAt)]
        }
        let later = events.filter { $0.at > start }
        func first(_ kind: EventKind, because reason: String? = nil) -> Instant? {
            later.last { $0.fact.kind == kind && (reason == nil || $0.fact.reason == reason) }?.at
        }
        let token = first(.startTokenSet, because: type) ?? first(.startTokenRestored, because: type)
        let identified = device.user == nil ? nil : first(.deviceIdentified)
        return [
            token.map { Lack(before: "had no start token that works", now: "has had one", until: $0) },
            allowed(since: start, events).map {
                Lack(before: "did not allow Live Activities", now: "has allowed them", until: $0)
            },
            identified.map {
                Lack(before: "had another user, or none,", now: "has had its user", until: $0, confidence: .likely)
            },
        ].compactMap(\.self)
    }

    /// When Live Activities were switched on again that were off at a moment; nil if they were not off then.
    private func allowed(since start: Instant, _ events: [Event]) -> Instant? {
        let switches = events.filter { $0.fact.kind == .devicePermissions }
        guard let on = switches.last(where: { $0.at > start && !$0.isOff }) else { return nil }
        // Without an earlier event nothing is known of the time before.
        return switches.first { $0.at <= start }?.isOff == true ? on.at : nil
    }
}

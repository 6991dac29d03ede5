import EyotContract

/// Why nothing is sent for an activity though Apple would take it: an operator has said so, of the activity, of its type or of
/// its app, or a canary of the activity failed. Declarations and registrations are taken all the same, and when nothing halts it any more the newest state goes
/// out.
package struct Halt: Sendable, Hashable {
    package enum Switch: String, Sendable, Hashable, CaseIterable {
        case app, type, activity
    }

    /// Types of one app that may be halted at a time.
    package static let typeLimit = 100

    package var by: Switch
    package var since: Instant
    /// What went wrong, where that is not for an operator alone to say.
    package var reason: String?

    package init(by: Switch, since: Instant, reason: String? = nil) {
        self.by = by
        self.since = since
        self.reason = reason
    }

    /// For whoever declares something meanwhile.
    package var warning: String {
        if let reason { return "the activity is halted: \(reason)" }
        return switch by {
        case .app: "the app is halted: nothing is sent until it is resumed"
        case .type: "the activity's type is halted: nothing is sent until it is resumed"
        case .activity: "the activity is halted: nothing is sent until it is resumed"
        }
    }
}

extension App {
    /// Whether anything is sent for this app at all.
    package var isSending: Bool { PushEnvironment.allCases.contains(where: isSending(in:)) }

    /// Whether anything is sent for this app in an environment.
    package func isSending(in environment: PushEnvironment) -> Bool { haltedAt == nil && pauses[environment] == nil }

    /// What halts an activity of this app; the widest switch where there are several.
    package func halt(of activity: Activity) -> Halt? {
        if let haltedAt { return Halt(by: .app, since: haltedAt) }
        if let since = activity.type.flatMap({ haltedTypes[$0] }) { return Halt(by: .type, since: since) }
        return activity.haltedAt.map {
            Halt(by: .activity, since: $0, reason: activity.canary?.complaint)
        }
    }

    /// For whoever declares something of an activity while a part of it or all of it is not sent.
    package func warnings(for activity: Activity) -> [String] {
        let paused = PushEnvironment.allCases.compactMap { pauses[$0]?.warning(in: $0) }
        return [halt(of: activity)?.warning].compactMap(\.self) + paused
    }
}

import EyotContract

/// A stop for an activity, although Apple would accept its pushes. An operator has halted the activity, its type or its
/// app, or a canary of the activity failed.
///
/// Declarations and registrations are accepted meanwhile. When no halt is left, the newest state goes out.
package struct Halt: Sendable, Hashable {
    package enum Switch: String, Sendable, Hashable, CaseIterable {
        case app, type, activity
    }

    /// The most types of one app that can be halted at a time.
    package static let typeLimit = 100

    package var by: Switch
    package var since: Instant
    /// The failure that caused it; nil if only an operator did.
    package var reason: String?

    package init(by: Switch, since: Instant, reason: String? = nil) {
        self.by = by
        self.since = since
        self.reason = reason
    }
}

extension App {
    /// Whether anything is sent for this app.
    package var isSending: Bool { PushEnvironment.allCases.contains(where: isSending(in:)) }

    /// Whether anything is sent for this app in an environment.
    package func isSending(in environment: PushEnvironment) -> Bool { haltedAt == nil && pauses[environment] == nil }

    /// The halt of an activity of this app, the widest if there are several; nil if there is none.
    package func halt(of activity: Activity) -> Halt? {
        if let haltedAt { return Halt(by: .app, since: haltedAt) }
        if let since = activity.type.flatMap({ haltedTypes[$0] }) { return Halt(by: .type, since: since) }
        return activity.haltedAt.map {
            Halt(by: .activity, since: $0, reason: activity.canary?.complaint)
        }
    }

    /// The warnings for a declaration while some or all of an activity's pushes are not sent.
    package func warnings(for activity: Activity, at now: Instant) -> [String] {
        ([halt(of: activity)?.finding].compactMap(\.self) + pushFindings(at: now)).map(\.warning)
    }

    /// What keeps pushes from getting through, by environment. A failure of Apple is not named beside a pause.
    package func pushFindings(at now: Instant) -> [Finding] {
        PushEnvironment.allCases.compactMap { pauses[$0]?.finding(in: $0) ?? failures[$0]?.finding(in: $0, at: now) }
    }
}

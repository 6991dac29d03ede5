import EyotDomain

/// The one door in: everything that a caller of the control plane can have done.
///
/// HTTP, the APIs of vendors and callers in the same process translate what they receive into these calls and do
/// nothing else. Here members are found, repetitions are answered, dry runs are undone, and work that is too large for
/// one transaction is divided.
package struct Commands: Sendable {
    package var store: any Store
    package var clock: any WallClock
    /// Whether and why this process pushes or does not.
    package var pushing: PushingState

    package init(store: any Store, clock: any WallClock, pushing: PushingState) {
        self.store = store
        self.clock = clock
        self.pushing = pushing
    }

    /// Reads reports on activities and operations.
    package var inspect: InspectActivity { InspectActivity(store: store, clock: clock, pushing: pushing) }
}

/// A call as the door sees it, without the protocol that it came by.
package struct CommandRequest: Sendable {
    package var caller: Caller
    /// The time of the call.
    package var now: Instant
    /// The caller's address, for the audit log; nil if it is unknown.
    package var address: String?
    /// Marks repetitions of the call (R14); nil if the call acts each time.
    package var idempotency: Idempotency?
    /// Whether the call only asks what it would do.
    package var isDryRun = false
    /// The ids of the call; nil if it is none of a caller.
    package var id: RequestID?
    /// The trace that the call belongs to; nil if it is not recorded.
    package var trace: TraceContext?
    /// Builds of the activity that no card has any more, if the schema check asked for them.
    package var buildsGone: Set<String> = []

    package init(_ caller: Caller, at now: Instant) {
        self.caller = caller
        self.now = now
    }
}

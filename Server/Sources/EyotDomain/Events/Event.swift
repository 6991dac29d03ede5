import EyotContract

/// Something that happened to an app, an activity, a card or a device (R15).
///
/// An event is recorded once, in the transaction of the change that it tells of. What Apple accepted is no event: a
/// page's verdicts are one record, however many pushes it has.
package struct Event: Sendable, Hashable {
    /// Rises in the order of commits; 0 until it is stored.
    package var id: Int64 = 0
    package var app: AppID
    package var at: Instant
    package var fact: Fact
    /// The things that it happened to; nil for those that had no part in it.
    package var activity: ActivityID?
    package var ordinal: Int?
    package var device: DeviceID?
    /// The accepted request that it is about; nil if it is about none.
    package var operation: Int64?
    /// The call that was refused; nil for all other events.
    package var call: RefusedCall?

    package init(
        app: AppID, at: Instant, _ fact: Fact, activity: ActivityID? = nil, ordinal: Int? = nil,
        device: DeviceID? = nil
    ) {
        self.app = app
        self.at = at
        self.fact = fact
        self.activity = activity
        self.ordinal = ordinal
        self.device = device
    }
}

/// What happened, without time and place.
package struct Fact: Sendable, Hashable {
    package var kind: EventKind
    /// The declaration that it is about: that was declared, refused, or shown last. 0 if there is none.
    package var version: Version
    /// Why, as a word of Eyot or of Apple; nil if the kind says it all.
    package var reason: String?
    /// ``EyotContract/PushToken/fingerprint`` of the token that it is about; nil if it is about none. A token is a
    /// secret, so no event holds it whole.
    package var token: String?

    package init(_ kind: EventKind, version: Version = 0, reason: String? = nil, token: PushToken? = nil) {
        self.kind = kind
        self.version = version
        self.reason = reason
        self.token = token?.fingerprint
    }
}

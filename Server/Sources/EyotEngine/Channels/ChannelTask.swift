import APNSWire
import EyotDomain

/// One request to Apple for one channel.
package struct ChannelTask: Sendable {
    package enum Job: Sendable {
        case make
        case delete
        case broadcast(Push, PushPage, isUrgent: Bool)
    }

    package let channel: Channel
    package let app: App
    package let job: Job
    package let takenAt: Instant
    /// The moment from which another node may make the request; nil for none.
    package let until: Instant?
}

/// Apple's answer to a ``ChannelTask``.
package enum ChannelOutcome: Sendable {
    case answered(ChannelAnswer)
    /// - stampedUpTo: The second that the broadcast was stamped with; 0 if it did not leave.
    case broadcast(Push, PushVerdict, stampedUpTo: Int, isUrgent: Bool)
}

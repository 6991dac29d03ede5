import APNSWire
import EyotDomain

/// What is to be asked of Apple for one channel.
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
    /// From this moment on another node may do it; nil where there is none.
    package let until: Instant?
}

/// What Apple said to it.
package enum ChannelOutcome: Sendable {
    case answered(ChannelAnswer)
    /// - stampedUpTo: the second that it was stamped with; 0 where it was not.
    case broadcast(Push, PushVerdict, stampedUpTo: Int, isUrgent: Bool)
}

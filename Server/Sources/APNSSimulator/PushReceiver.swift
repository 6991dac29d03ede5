import APNSWire
import EyotContract
import Foundation

/// A push that passed every check of Apple's, on its way to a phone.
public struct ReceivedPush: Sendable {
    /// The token that the path named.
    public var token: PushToken
    /// The service that took the push.
    public var environment: PushEnvironment
    /// The whole topic: bundle id and suffix.
    public var topic: String
    /// The app of the topic.
    public var bundleID: String
    /// The kind of push. It follows from the topic if the header is absent.
    public var pushType: APNSPushType
    /// 10 if the header is absent.
    public var priority: APNSPriority
    /// UNIX seconds until which Apple keeps the push for an offline phone. 0 is one attempt; nil leaves it to Apple.
    public var expiration: Int?
    /// Pushes with the same one replace each other while they wait.
    public var collapseID: String?
    /// `apns-id`, the sender's or one made here.
    public var id: String
    /// The body, byte for byte.
    public var payload: [UInt8]
    /// When the simulator took the push.
    public var receivedAt: Date
}

/// A receiver's decision about a push.
public enum PushReception: Sendable, Equatable {
    /// The token is known. Apple does not report what the phone does with the push.
    case accepted
    /// Apple refuses the push, for example with ``APNSReason/unregistered``. `deadSince` is the token's time of death,
    /// for reasons of status 410. Nil is the moment of the answer.
    case refused(APNSReason, deadSince: Date? = nil)
    /// The phone gets nothing, and the sender no answer: ``PushFault/stall``, for pushes that the receiver chooses.
    case unanswered
}

/// The receiver of the pushes that the simulator accepts; normally it has the phones.
public protocol PushReceiver: Sendable {
    /// Accepts a push that passed the checks, and decides whether its token is alive for that topic and environment.
    ///
    /// It runs on the event loop of the push's connection, in the order in which a connection's requests were complete.
    /// It must not block: long work belongs on a queue of the receiver's.
    func receive(_ push: ReceivedPush) -> PushReception

    /// Takes a broadcast that passed the checks, for every card that is subscribed to its channel. Apple answers 200
    /// even if no card is subscribed. The rules for threads are those of pushes.
    func receive(_ broadcast: ReceivedBroadcast)
}

extension PushReceiver {
    /// Drops the broadcast, for receivers without channels.
    public func receive(_ broadcast: ReceivedBroadcast) {}
}

/// A receiver that is one closure.
public struct PushReceiverClosure: PushReceiver {
    private let body: @Sendable (ReceivedPush) -> PushReception

    /// Asks `body` for every push.
    public init(_ body: @escaping @Sendable (ReceivedPush) -> PushReception) { self.body = body }

    /// Asks the closure.
    public func receive(_ push: ReceivedPush) -> PushReception { body(push) }
}

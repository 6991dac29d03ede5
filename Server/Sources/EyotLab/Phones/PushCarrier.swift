import APNSSimulator
import APNSWire
import EyotContract
import PhoneSimulator
import Synchronization

/// The path of pushes from Apple's side to the phones, with a count of Apple's refusals.
final class PushCarrier: PushReceiver {
    private let fleet: PhoneFleet
    private let changes: FleetChanges
    private let refusals = Mutex<[APNSReason: Int]>([:])

    init(fleet: PhoneFleet, changes: FleetChanges) {
        self.fleet = fleet
        self.changes = changes
    }

    /// How many pushes were refused because of their token, by reason.
    var refusalCounts: [APNSReason: Int] { refusals.withLock { $0 } }

    func receive(_ push: ReceivedPush) -> PushReception {
        let delivered = DeliveredPush(
            token: push.token, topic: push.topic, pushType: push.pushType, priority: push.priority,
            expiration: push.expiration, collapseID: push.collapseID, id: APNSID(push.id), payload: push.payload)
        let verdict = fleet.deliver(delivered, environment: push.environment)
        changes.signal()
        guard let reason = verdict.reason else { return .accepted }
        refusals.withLock { $0[reason, default: 0] += 1 }
        if case .unregistered(let since) = verdict { return .refused(reason, deadSince: since) }
        return .refused(reason)
    }

    func receive(_ broadcast: ReceivedBroadcast) {
        let delivered = DeliveredPush(
            channel: broadcast.channel.text, keepsNewest: broadcast.storage == .mostRecent,
            bundleID: broadcast.bundleID,
            priority: broadcast.priority, expiration: broadcast.expiration, id: APNSID(broadcast.id),
            payload: broadcast.payload)
        _ = fleet.broadcast(delivered, environment: broadcast.environment)
        changes.signal()
    }
}

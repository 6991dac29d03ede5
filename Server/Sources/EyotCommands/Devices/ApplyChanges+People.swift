import EyotContract
import EyotDomain

/// What follows where a phone is somebody else's from now on.
extension ApplyChanges {
    /// Replicas of the phone that are read at a time, and the most of all that are looked at.
    private static let (page, limit) = (100, 1_000)

    /// What has not left of starts that were for the former user, in activities which are not open to the phone any more, is not made:
    /// another person would see it (R12). Should the user be back, the next call that starts them may start it again.
    func callOffStarts(for user: String, on device: Device) throws {
        guard let app = try ledger.app(device.app) else { return }
        var (last, seen): (Replica?, Int) = (nil, 0)
        repeat {
            let replicas = try ledger.replicas(
                of: device.id, after: last?.activity ?? ActivityID(rawValue: 0), ordinal: last?.ordinal ?? 0,
                limit: Self.page)
            for var replica in replicas where replica.phase == .starting && replica.lease?.state == .planned {
                guard let activity = try ledger.activity(replica.activity), activity.users.contains(user),
                    !activity.isOpen(to: device, of: app)
                else { continue }
                (replica.phase, replica.lease, replica.retry) = (.notStarted(.otherPerson), nil, nil)
                try ledger.update(replica)
            }
            (last, seen) = (replicas.count == Self.page ? replicas.last : nil, seen + replicas.count)
        } while last != nil && seen < Self.limit
    }
}

extension DeviceChange.Action {
    var setsStartToken: Bool {
        if case .setStartToken = self { true } else { false }
    }

    var removesStartToken: Bool {
        if case .removeStartToken = self { true } else { false }
    }
}

import EyotDomain

/// What follows where a phone is somebody else's from now on. What has not left of starts that were for its former user, in activities
/// which are not open to the phone any more, is not made: another person would see it (R12). Should the user be back, the next call that
/// starts them may start it again.
struct CallOffStarts {
    /// Replicas of the phone that are read at a time, and the most of all that are looked at.
    private static let (page, limit) = (100, 1_000)

    let ledger: any Ledger

    /// - Parameters:
    ///   - device: as it stands now.
    ///   - former: its user before; nil where it had none.
    func callAsFunction(on device: Device, formerly former: String?) throws {
        guard let former, device.user != former, let app = try ledger.app(device.app) else { return }
        var (last, seen): (Replica?, Int) = (nil, 0)
        repeat {
            let replicas = try ledger.replicas(
                of: device.id, after: last?.activity ?? ActivityID(rawValue: 0), ordinal: last?.ordinal ?? 0,
                limit: Self.page)
            for var replica in replicas where replica.phase == .starting && replica.lease?.state == .planned {
                guard let activity = try ledger.activity(replica.activity),
                    activity.isForOthers(than: device, formerly: former, of: app)
                else { continue }
                replica.callOffForOther()
                try ledger.update(replica)
            }
            (last, seen) = (replicas.count == Self.page ? replicas.last : nil, seen + replicas.count)
        } while last != nil && seen < Self.limit
    }
}

extension Replica {
    /// Takes in that its start, which has not left, was for another person than the phone's.
    mutating func callOffForOther() {
        (phase, lease, retry) = (.notStarted(.otherPerson), nil, nil)
    }
}

import EyotDomain

/// The removal of a device and of all that identifies its user. It takes several transactions if there are many cards.
package struct ForgetDevice: UseCase {
    /// Replicas of one transaction.
    package static let replicasAtOnce = 100
    /// Events of one transaction.
    private static let eventsAtOnce = 1_000

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// How far the removal is: replicas up to this one are done.
    package struct Place: Sendable, Hashable {
        var activity = ActivityID(rawValue: 0)
        var ordinal = 0

        package init() {}
    }

    /// - Returns: Where to continue, or nil if the removal is complete.
    package func callAsFunction(_ id: DeviceID, after place: Place = Place()) throws -> Place? {
        guard let device = try ledger.device(id) else { return nil }
        if !device.isForgotten { try forget(device) }
        let replicas = try ledger.replicas(
            of: id, after: place.activity, ordinal: place.ordinal, limit: Self.replicasAtOnce)
        for former in replicas {
            var replica = former
            replica.forget()
            guard replica != former else { continue }
            try ledger.update(replica)
            // What is counted names no person and stays.
            ledger.countStates(from: former, to: replica, in: device.app)
            try transaction.removeEcho(of: former, in: device.app)
            try wake(replica.activity)
        }
        // What is recorded of the phone goes with it, and the removal itself is not recorded.
        guard try ledger.removeEvents(of: id, limit: Self.eventsAtOnce) < Self.eventsAtOnce else { return place }
        if let last = replicas.last, replicas.count == Self.replicasAtOnce {
            var next = Place()
            (next.activity, next.ordinal) = (last.activity, last.ordinal)
            return next
        }
        // A device with cards goes when the last of their activities goes.
        try ledger.removeDevice(id)
        return nil
    }

    /// Marks a device as removed. From now on its secret is refused, and it is in no audience.
    private func forget(_ former: Device) throws {
        for testDevice in try ledger.testDevices(of: former.app) where testDevice.target == .device(former.id) {
            _ = try ledger.removeTestDevice(testDevice.name, of: former.app)
        }
        try ledger.removeArrivals(ledger.arrivals(of: former.id).map(\.id))
        var device = former
        device.isForgotten = true
        (device.user, device.formerUser) = (nil, nil)
        device.permissions.activities = false
        // Reports of the device that are not merged yet now belong to a former epoch.
        device.epoch += 1
        device.seenAt = Instant(second: 0)
        try transaction.countingAdoption(of: [device.id]) { try ledger.forget(device) }
    }

    private func wake(_ id: ActivityID) throws {
        guard var activity = try ledger.activity(id) else { return }
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(id)
    }
}

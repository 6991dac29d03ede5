import EyotContract

/// What the start of very many cards reads and writes at a time: a device at a time would be most of what it costs.
package protocol PlanningLedger: AnyObject {
    /// Devices with ids between two, in order of their ids, as far as a start of a type asks.
    func startCandidates(_ ids: ClosedRange<Int64>, type: String) throws -> [StartCandidate]
    /// Those among devices with ids between two of whom a start is known: they have a replica of the activity, or one whose remote
    /// start is or was to leave between two moments.
    func devicesWithStarts(
        _ ids: ClosedRange<Int64>, of activity: ActivityID, after earliest: Instant, before latest: Instant
    ) throws -> Set<Int64>
    /// Stores places for devices, from the ordinal of one of them on: all are like that one, whose start is planned.
    func insert(places devices: [DeviceID], like first: Replica) throws
}

/// A device that may get a card, as far as that is decided by the device alone.
package struct StartCandidate: Sendable, Hashable {
    package var id: DeviceID
    package var appVersion: String
    var permitsActivities: Bool
    var osVersion: OSVersion
    /// Whether there is a start token that is of use.
    var hasStartToken: Bool
    /// See ``Device/userSince``.
    package var userSince: Instant?

    package init(
        id: DeviceID, appVersion: String, permitsActivities: Bool, osVersion: OSVersion, hasStartToken: Bool,
        userSince: Instant?
    ) {
        self.id = id
        self.appVersion = appVersion
        self.permitsActivities = permitsActivities
        self.osVersion = osVersion
        self.hasStartToken = hasStartToken
        self.userSince = userSince
    }

    package init(_ device: Device, _ token: StartToken?) {
        self.init(
            id: device.id, appVersion: device.appVersion, permitsActivities: device.permissions.activities,
            osVersion: device.osVersion, hasStartToken: token.map { $0.death == nil } ?? false,
            userSince: device.userSince)
    }

    /// Why it gets none; nil where nothing of the device's own keeps it from one.
    package var failure: StartFailure? {
        guard permitsActivities else { return .disabled }
        guard osVersion >= .remoteStart else { return .osTooOld }
        return hasStartToken ? nil : .noStartToken
    }
}

extension Replica {
    /// The same place for another device: whatever else it is, is like this one.
    package func place(_ ordinal: Int, for device: DeviceID) -> Replica {
        var place = self
        (place.ordinal, place.device) = (ordinal, device)
        return place
    }
}

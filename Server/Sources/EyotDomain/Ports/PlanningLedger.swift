import EyotContract

/// Bulk reads and writes for the start of very many cards. Single devices would make up most of the cost.
package protocol PlanningLedger: AnyObject {
    /// Devices with ids in a range, in order of their ids, with what a start of a type needs.
    func startCandidates(_ ids: ClosedRange<Int64>, type: String) throws -> [StartCandidate]
    /// Devices with ids in a range that have a known start: a replica of the activity, or a replica with a remote start
    /// that leaves, or was to leave, between two moments.
    func devicesWithStarts(
        _ ids: ClosedRange<Int64>, of activity: ActivityID, after earliest: Instant, before latest: Instant
    ) throws -> Set<Int64>
    /// Stores places for devices, beginning with the ordinal of `first`. All places are like that one, which has a
    /// planned start.
    func insert(places devices: [DeviceID], like first: Replica) throws
}

/// A device that may get a card, with what decides that on the device's side.
package struct StartCandidate: Sendable, Hashable {
    package var id: DeviceID
    package var appVersion: String
    var permitsActivities: Bool
    package var osVersion: OSVersion
    /// Whether it has a start token that is in use.
    var hasStartToken: Bool
    /// See ``Device/personNumber``.
    package var personNumber: Int
    package var language: String?
    package var environment: PushEnvironment = .production

    package init(
        id: DeviceID, appVersion: String, permitsActivities: Bool, osVersion: OSVersion, hasStartToken: Bool,
        personNumber: Int
    ) {
        self.id = id
        self.appVersion = appVersion
        self.permitsActivities = permitsActivities
        self.osVersion = osVersion
        self.hasStartToken = hasStartToken
        self.personNumber = personNumber
    }

    package init(_ device: Device, _ token: StartToken?) {
        self.init(
            id: device.id, appVersion: device.appVersion, permitsActivities: device.permissions.activities,
            osVersion: device.osVersion, hasStartToken: token.map { $0.death == nil } ?? false,
            personNumber: device.personNumber)
        (language, environment) = (device.language, device.environment)
    }

    /// The reason why it gets no card; nil if nothing about the device prevents it.
    package var failure: StartFailure? {
        guard permitsActivities else { return .disabled }
        guard osVersion >= .remoteStart else { return .osTooOld }
        return hasStartToken ? nil : .noStartToken
    }
}

/// What the caller of a start asks for.
package struct StartWish: Sendable, Hashable {
    /// When the start is to leave. It replaces a start that is planned for another moment.
    var startsAt: Instant
    /// Whether it starts again although an earlier start may still arrive (R6).
    var isForced: Bool
    /// Whether it starts again although the phone may show the card of an earlier start in silence.
    var ignoresSilence = false
    /// Whether it starts again although the person removed a card of this generation (R13).
    var restartsDismissed: Bool

    package init(
        startsAt: Instant, isForced: Bool = false, restartsDismissed: Bool = false, ignoresSilence: Bool = false
    ) {
        self.startsAt = startsAt
        self.isForced = isForced
        self.ignoresSilence = ignoresSilence
        self.restartsDismissed = restartsDismissed
    }
}

extension Replica {
    /// Copies the place for another device and ordinal.
    package func place(_ ordinal: Int, for device: DeviceID) -> Replica {
        var place = self
        (place.ordinal, place.device) = (ordinal, device)
        return place
    }
}

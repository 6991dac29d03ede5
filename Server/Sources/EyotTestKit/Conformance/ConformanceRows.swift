import APNSWire
import EyotContract
import EyotDomain

/// Rows for the checks, in short form.
struct ConformanceRows {
    static let now = Instant(microseconds: 1_700_000_000_123_456)
    static let type = "MatchAttributes"

    let ledger: any Ledger

    func app(_ name: String = "one") throws -> AppID {
        try ledger.insertApp(bundleID: "org.example.\(name)", name: name, publicKey: "key-\(name)", at: Self.now).id
    }

    func device(
        _ installation: String, in app: AppID, user: String? = nil, version: String = "1.2",
        _ change: (inout NewDevice) -> Void = { _ in }
    ) throws -> Device {
        var device = NewDevice(
            app: app, installation: installation, environment: .sandbox, osVersion: OSVersion(18, 1),
            appVersion: version, permissions: DevicePermissions(activities: true, frequentPushes: false), user: user,
            createdAt: Self.now)
        change(&device)
        return try ledger.insert(device)
    }

    func activity(
        _ name: String = "m", in app: AppID, generation: Int = 1, type: String? = type
    ) throws -> Activity {
        try ledger.insertActivity(named: name, in: app, generation: generation, type: type, at: Self.now)
    }

    @discardableResult
    func replica(
        _ ordinal: Int, of activity: Activity, on device: Device, instance: String? = nil,
        _ change: (inout Replica) throws -> Void = { _ in }
    ) throws -> Replica {
        var replica = Replica(
            activity: activity.id, ordinal: ordinal, device: device.id, phase: .waitingForToken,
            startsAt: ordinal % 2 == 0 ? .after(Int64(ordinal)) : nil, createdAt: Self.now)
        replica.instance = instance
        try change(&replica)
        try ledger.insert(replica)
        return replica
    }

    func token(_ byte: UInt8) throws -> PushToken {
        guard let token = PushToken(bytes: [0, byte, 255]) else { throw Violation("three bytes are no token") }
        return token
    }
}

extension Instant {
    /// Returns a moment this many microseconds after ``now``.
    static func after(_ microseconds: Int64) -> Instant {
        Instant(microseconds: ConformanceRows.now.microseconds + microseconds)
    }
}

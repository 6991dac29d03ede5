import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import Synchronization

/// A world with many small activities.
extension NodeWorld {
    /// Activities with one card each, which show state 1 next.
    func fill(activities count: Int) async throws {
        let now = clock.now
        try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: now).id
            try ledger.put(
                APNSKey(
                    app: app, environment: .sandbox, teamID: "T", keyID: "K",
                    sealed: SealedSecret(masterKeyID: "m", box: []), addedAt: now))
            let device = try ledger.insert(
                NewDevice(
                    app: app, installation: "1", environment: .sandbox, osVersion: OSVersion(17, 2), appVersion: "1",
                    permissions: DevicePermissions(activities: true, frequentPushes: true), createdAt: now))
            for number in 0..<count {
                var request = DeclarationRequest(verb: .put, name: "\(number)", content: Content(state: ["n": 1]))
                request.type = "Match"
                _ = try Declare(Transaction(ledger, at: now), app: app)(request)
                guard var activity = try ledger.newestActivity(named: "\(number)", in: app) else { return }
                var replica = Replica(
                    activity: activity.id, ordinal: 1, device: device.id, phase: .live, createdAt: now)
                replica.token = PushToken(bytes: [UInt8(number), 1]).map {
                    UpdateToken(token: $0, environment: .sandbox, version: 1, setAt: now)
                }
                try ledger.insert(replica)
                activity.nextOrdinal = 2
                try ledger.update(activity)
            }
        }
    }

    /// Declares the next state of these activities.
    func declare(_ state: Int, activities count: Int) async throws {
        let now = clock.now
        try await store.write { ledger in
            guard let app = try ledger.apps().first?.id else { return }
            for number in 0..<count {
                let request = DeclarationRequest(
                    verb: .update, name: "\(number)", content: Content(state: ["n": .integer(state)]))
                _ = try Declare(Transaction(ledger, at: now), app: app)(request)
            }
        }
    }

    /// How many cards have a state.
    func reached(_ state: Int) -> Int { Set(pushed.filter { $0.state == state }.map(\.token)).count }
}

/// Seconds that a test changes while others read them.
final class Adjusted: Sendable {
    private let value = Mutex(0.0)

    var seconds: Double {
        get { value.withLock(\.self) }
        set { value.withLock { $0 = newValue } }
    }
}

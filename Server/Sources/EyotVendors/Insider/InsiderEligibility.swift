import EyotContract
import EyotDomain

/// The devices of some users that could get a card, and the reasons for the others. Users without a device are counted
/// as users.
struct InsiderEligibility: Sendable {
    /// Eligible devices, by user.
    var devices: [String: Int] = [:]
    var skipped: [StartFailure: Int] = [:]
    /// How many users have no known device.
    var unknownUsers = 0

    /// How many devices one transaction reads.
    private static let pageSize = 500

    var count: Int { devices.values.reduce(0, +) }

    /// The counts of all reasons, including zeros.
    var skippedJSON: JSONValue {
        let count = { (failure: StartFailure) in JSONValue.integer(skipped[failure] ?? 0) }
        return [
            "push_permission_disabled": count(.disabled), "unsupported_platform": 0,
            "unsupported_os_version": count(.osTooOld), "push_to_start_token_missing": count(.noStartToken),
            "user_not_found": .integer(unknownUsers),
        ]
    }

    /// Examines the devices of users, page by page.
    static func find(
        _ users: [String], type: String, in app: AppID, of store: any Store, at now: Instant
    ) async throws -> InsiderEligibility {
        var found = InsiderEligibility()
        var known: Set<String> = []
        var last = DeviceID(rawValue: 0)
        while true {
            let after = last
            let page = try await store.read { ledger in
                try ledger.devices(in: .users(users), of: app, after: after, limit: pageSize).map { device in
                    let token = try ledger.startToken(of: device.id, type: type)
                    let failure = Replica.startFailure(
                        for: StartCandidate(device, token), existing: [], wish: StartWish(startsAt: now), at: now)
                    return (device, failure)
                }
            }
            for (device, failure) in page {
                guard let user = device.user else { continue }
                known.insert(user)
                if let failure {
                    found.skipped[failure, default: 0] += 1
                } else {
                    found.devices[user, default: 0] += 1
                }
            }
            guard page.count == pageSize, let device = page.last?.0 else { break }
            last = device.id
        }
        found.unknownUsers = users.count - known.count
        return found
    }
}

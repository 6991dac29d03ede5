import EyotDomain

/// The removal of people and devices, in transactions of limited size. If one is interrupted, a repetition finds the
/// rest.
extension Commands {
    /// How many devices one call removes.
    package static let removalLimit = 10_000
    /// The same for a call that names an audience.
    package static let bulkRemovalLimit = 1_000
    /// How many declarations one transaction erases.
    private static let declarationsAtOnce = 200

    /// Removes a device.
    ///
    /// - Throws: `deviceUnknown`.
    package func remove(_ id: DeviceID, of app: AppID, at now: Instant) async throws {
        let device = try await store.read { try $0.device(id) }
        guard let device, device.app == app else {
            throw EyotError(.deviceUnknown, "there is no device \(id.rawValue)")
        }
        try await erase(try await forget(id, at: now))
        try await store.foldLog()
    }

    /// Removes the devices of an audience, proven or not, up to ``bulkRemovalLimit``.
    ///
    /// - Returns: How many were removed, and whether there are more.
    package func removeDevices(
        in audience: Audience, of app: AppID, at now: Instant
    ) async throws -> (removed: Int, hasMore: Bool) {
        let found = try await store.search(of: app) { ledger in
            let all = try ResolveAudience(Transaction(ledger, at: now), app: app, believesAll: true)(audience)
            return try ledger.deviceIDs(in: all, of: app, limit: Self.bulkRemovalLimit + 1)
        }
        var traces: Set<EraseContents.Trace> = []
        for device in found.prefix(Self.bulkRemovalLimit) { traces.formUnion(try await forget(device, at: now)) }
        try await erase(traces)
        try await store.foldLog()
        return (min(found.count, Self.bulkRemovalLimit), found.count > Self.bulkRemovalLimit)
    }

    /// Removes a user, devices first.
    ///
    /// - Throws: `userUnknown`, and `unavailable` if the user has more than ``removalLimit`` devices.
    package func removeUser(_ externalID: String, of app: AppID, at now: Instant) async throws {
        let isKnown = try await store.read { try $0.user(externalID, in: app) != nil }
        var devices = 0
        var traces: Set<EraseContents.Trace> = []
        while let device = try await nextDevice(of: externalID, in: app) {
            guard devices < Self.removalLimit else {
                throw EyotError(.unavailable, "\(devices) devices were removed, and more are left: repeat the call")
            }
            traces.formUnion(try await forget(device, at: now))
            devices += 1
        }
        let isFound = try await leaveFormerPhones(of: externalID, in: app, at: now)
        guard isKnown || devices > 0 || isFound else { throw EyotError.userUnknown(externalID) }
        try await erase(traces)
        try await removeTraces(of: externalID, in: app)
        try await store.write { try ForgetUser(ledger: $0, app: app, user: externalID)() }
        try await store.foldLog()
    }

    /// - Returns: Whether a phone had taken over places of the user.
    private func leaveFormerPhones(of externalID: String, in app: AppID, at now: Instant) async throws -> Bool {
        var isFound = false
        while true {
            let phones = try await store.read { try $0.devices(formerlyOf: externalID, in: app, limit: 100) }
            guard !phones.isEmpty else { return isFound }
            isFound = true
            for phone in phones {
                try await store.write { try ForgetUser(ledger: $0, app: app, user: externalID).leave(phone, at: now) }
            }
        }
    }

    private func removeTraces(of externalID: String, in app: AppID) async throws {
        var traces = ForgetUser.Traces()
        while true {
            traces = try await store.read { [traces] in
                try ForgetUser(ledger: $0, app: app, user: externalID).traces(after: traces)
            }
            guard !traces.isEmpty else { return }
            try await store.write { [traces] in
                try ForgetUser(ledger: $0, app: app, user: externalID).remove(traces)
            }
        }
    }

    private func nextDevice(of externalID: String, in app: AppID) async throws -> DeviceID? {
        try await store.read { try $0.deviceIDs(in: .user(externalID), of: app, limit: 1).first }
    }

    /// - Returns: The traces that the device's cards leave in declarations.
    private func forget(_ id: DeviceID, at now: Instant) async throws -> Set<EraseContents.Trace> {
        var traces: Set<EraseContents.Trace> = []
        var place: ForgetDevice.Place? = ForgetDevice.Place()
        while let from = place {
            let (some, next) = try await store.read { try EraseContents(ledger: $0).traces(of: id, after: from) }
            traces.formUnion(some)
            place = next
        }
        place = ForgetDevice.Place()
        while let from = place {
            place = try await store.write { try ForgetDevice(Transaction($0, at: now))(id, after: from) }
        }
        return traces
    }

    /// Erases declarations that applied to removed devices.
    private func erase(_ traces: Set<EraseContents.Trace>) async throws {
        for trace in traces {
            let versions = try await store.read { try EraseContents(ledger: $0).versions(trace) }
            for start in stride(from: 0, to: versions.count, by: Self.declarationsAtOnce) {
                let some = versions[start..<min(start + Self.declarationsAtOnce, versions.count)]
                try await store.write { ledger in
                    for version in some { try ledger.eraseDeclaration(version, of: trace.activity) }
                }
            }
        }
    }
}

extension EyotError {
    package static func userUnknown(_ externalID: String) -> EyotError {
        EyotError(.userUnknown, "there is no user \(externalID)")
    }
}

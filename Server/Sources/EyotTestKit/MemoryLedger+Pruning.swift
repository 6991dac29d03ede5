import EyotDomain

/// Removal of rows that are over, in the simplest form.
extension MemoryLedger {
    package func removeOperations(acceptedBefore moment: Instant, limit: Int) -> Int {
        let old = operations.filter { $0.acceptedAt < moment && $0.pending == 0 }
            .sorted { ($0.acceptedAt, $0.id) < ($1.acceptedAt, $1.id) }
        let oldest = Set(old.prefix(limit).map(\.id))
        operations.removeAll { oldest.contains($0.id) }
        return oldest.count
    }

    package func endedActivities(before moment: Instant, limit: Int) -> [ActivityID] {
        activities.compactMap { activity in activity.endedAt.map { (activity.id, $0) } }.filter { $0.1 < moment }
            .sorted { $0.1 < $1.1 }.prefix(limit).map(\.0)
    }

    /// Removes replicas from the last ordinal, so that earlier ones keep their places.
    package func removeReplicas(of activity: ActivityID, limit: Int) -> Int {
        let count = min(limit, replicas[activity]?.count ?? 0)
        for gone in replicas[activity]?.suffix(count) ?? [] { echoes[activity]?[gone.ordinal] = nil }
        replicas[activity]?.removeLast(count)
        joined[activity]?.removeLast(count)
        return count
    }

    package func removeDeclarations(of activity: ActivityID, limit: Int) -> Int {
        let oldest = (declarations[activity] ?? [:]).keys.sorted().prefix(limit)
        for version in oldest { declarations[activity]?[version] = nil }
        return oldest.count
    }

    package func removeActivity(_ id: ActivityID) {
        ringPages[id] = nil
        updatedCards[id] = nil
        alertMarkRows = alertMarkRows.filter { $0.key.activity != id }
        activityBuilds[id] = nil
        joinSecrets[id] = nil
        liveAudiences.removeAll { $0.activity == id }
        channels.removeAll { $0.activity == id && [.lost, .wanted].contains($0.phase) }
        activities.removeAll { $0.id == id }
    }

    package func activities(after id: ActivityID, limit: Int) -> [Activity] {
        Array(activities.lazy.filter { $0.id.rawValue > id.rawValue }.prefix(limit))
    }

    package func declarations(of activity: ActivityID, after version: Int, limit: Int) -> [Declaration] {
        Array(
            (declarations[activity] ?? [:]).values.sorted { $0.version < $1.version }
                .filter { $0.version > version }.prefix(limit))
    }

    package func removeDeclaration(_ version: Int, of activity: ActivityID) { declarations[activity]?[version] = nil }

    package func devices(after id: DeviceID, limit: Int) -> [Device] {
        Array(devices.lazy.filter { $0.id.rawValue > id.rawValue }.prefix(limit))
    }

    package func forget(_ device: Device) {
        update(device)
        guard let index = devices.firstIndex(where: { $0.id == device.id }) else { return }
        devices[index].installation = "\u{1}\(device.id.rawValue)"
        secrets = secrets.filter { $0.value != device.id }
        startTokens = startTokens.filter { $0.key.device != device.id }
        removeTraits(of: device.id)
    }

    package func removeDevice(_ id: DeviceID) {
        guard !replicas.values.joined().contains(where: { $0.device == id }) else { return }
        devices.removeAll { $0.id == id }
        removeTraits(of: id)
        secrets = secrets.filter { $0.value != id }
    }
}

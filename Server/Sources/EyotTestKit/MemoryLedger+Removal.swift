import EyotDomain

/// Removal of apps, in the simplest form.
extension MemoryLedger {
    package func removedApps() -> [App] { allApps.filter { $0.removedAt != nil } }

    package func runningActivityName(of app: AppID) -> String? {
        activities.last { $0.app == app && $0.version > 0 && !$0.isEnded }?.name
    }

    package func deviceIDs(of app: AppID, limit: Int) -> [DeviceID] {
        Array(devices.filter { $0.app == app }.map(\.id).sorted { $0.rawValue < $1.rawValue }.prefix(limit))
    }

    /// Removes all rows at once, because there are few.
    package func removeRows(of app: AppID, limit: Int) -> Int {
        let before = rowCount
        arrivals.removeAll { $0.app == app }
        eventRows.removeAll { $0.app == app }
        countRows = countRows.filter { $0.key.app != app }
        spanRows = spanRows.filter { $0.key.app != app }
        reportRows.removeAll { $0.app == app }
        channels.removeAll { $0.app == app }
        operations.removeAll { $0.app == app }
        answered.removeAll { $0.app == app }
        auditRows.removeAll { $0.app == app }
        accessRows.removeAll { $0.call.app == app }
        testDevices.removeAll { $0.app == app }
        identityKeyRows.removeAll { $0.app == app }
        identityFailureRows.removeAll { $0.app == app }
        vendorRecords.removeAll { $0.app == app }
        segments.removeAll { $0.app == app }
        definitions.removeAll { $0.app == app }
        schemas.removeAll { $0.app == app }
        apnsKeyRows.removeAll { $0.app == app }
        let hooks = Set(webhookRows.lazy.filter { $0.app == app }.map(\.id))
        webhookDeliveries.removeAll { hooks.contains($0.webhook) }
        webhookRows.removeAll { $0.app == app }
        keptTypes[app] = nil
        watchedRows = watchedRows.filter { $0.app != app }
        panel.grants.removeAll { $0.app == app }
        (backendNames[app], usedProofs[app], profiles[app], usages[app]) = (nil, nil, nil, nil)
        return before - rowCount
    }

    package func removeApp(_ id: AppID) { appRows[id] = nil }

    private var rowCount: Int {
        let lists: [Int] = [
            arrivals.count, channels.count, operations.count, answered.count, auditRows.count, accessRows.count,
            testDevices.count, identityKeyRows.count, identityFailureRows.count, vendorRecords.count,
            segments.count, definitions.count, schemas.count, apnsKeyRows.count, eventRows.count, webhookRows.count,
            webhookDeliveries.count, countRows.count, spanRows.count, reportRows.count, watchedRows.count,
            panel.grants.count,
        ]
        let maps: [Int] = [keptTypes.count, backendNames.count, usedProofs.count, profiles.count, usages.count]
        return (lists + maps).reduce(0, +)
    }
}

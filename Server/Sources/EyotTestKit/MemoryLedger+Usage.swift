import EyotDomain

/// Quotas and former keys of apps, in the simplest form.
extension MemoryLedger {
    package func usage(of app: AppID) -> AppUsage {
        var usage = usages[app] ?? AppUsage()
        usage.devices = devices.count { $0.app == app }
        return usage
    }

    package func add(_ change: AppUsage, to app: AppID) {
        var usage = usages[app] ?? AppUsage()
        usage.openedNames += change.openedNames
        usage.refusedNames += change.refusedNames
        usages[app] = usage
    }

    package func foldUsage(limit: Int) -> Int { 0 }

    package func openedNames(by device: DeviceID, limit: Int) -> Int {
        let opened = Set(activities.filter { $0.version == 0 }.map(\.id))
        return min(limit, replicas.values.joined().count { $0.device == device && opened.contains($0.activity) })
    }

    package func openedActivities(after id: ActivityID, limit: Int) -> [Activity] {
        Array(activities.filter { $0.version == 0 && $0.id.rawValue > id.rawValue }.prefix(limit))
    }

    package func use(_ proof: UsedProof, by device: DeviceID, in app: AppID) -> Bool {
        if let used = usedProofs[app]?[proof.hash] { return used.device == device }
        usedProofs[app, default: [:]][proof.hash] = (device, proof.until)
        return true
    }

    package func removeProofs(before moment: Instant, limit: Int) -> Int {
        let old = usedProofs.flatMap { app, proofs in proofs.map { (app, $0.key, $0.value.until) } }
            .filter { $0.2 < moment }.sorted { $0.2 < $1.2 }.prefix(limit)
        for (app, hash, _) in old { usedProofs[app]?[hash] = nil }
        return old.count
    }

    package func formerAppKey(_ text: String) -> FormerAppKey? { formerAppKeyRows.first { $0.text == text } }

    package func formerAppKeys(of app: AppID) -> [FormerAppKey] {
        formerAppKeyRows.filter { $0.app == app }.sorted { ($0.until, $0.text) < ($1.until, $1.text) }
    }

    package func insert(_ key: FormerAppKey) { formerAppKeyRows.append(key) }

    package func removeFormerAppKey(_ text: String) { formerAppKeyRows.removeAll { $0.text == text } }
}

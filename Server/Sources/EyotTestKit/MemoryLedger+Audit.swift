import EyotDomain

extension MemoryLedger {
    package func note(_ entry: AuditEntry) {
        var numbered = entry
        numbered.number = (auditRows.last { $0.app == entry.app }?.number ?? 0) + 1
        auditRows.append(numbered)
    }

    package func auditEntries(of app: AppID?, before number: Int?, limit: Int) -> [AuditEntry] {
        auditRows.reversed().filter { $0.app == app && $0.number < number ?? Int.max }.prefix(limit).map(\.self)
    }

    package func removeAuditEntries(before moment: Instant, limit: Int) -> Int {
        let old = auditRows.filter { $0.at < moment }.sorted { $0.at < $1.at }.prefix(limit)
        auditRows.removeAll { old.contains($0) }
        return old.count
    }

    package func note(_ entries: [AccessEntry]) {
        for var entry in entries {
            let app = entry.call.app
            entry.call.number = (accessRows.last { $0.call.app == app }?.call.number ?? 0) + 1
            accessRows.append(entry)
        }
    }

    package func accessEntries(of app: AppID?, before number: Int?, limit: Int) -> [AccessEntry] {
        accessRows.reversed().filter { $0.call.app == app && $0.call.number < number ?? Int.max }.prefix(limit).map(
            \.self)
    }

    package func removeAccessEntries(before moment: Instant, limit: Int) -> Int {
        let old = accessRows.filter { $0.call.at < moment }.sorted { $0.call.at < $1.call.at }.prefix(limit)
        accessRows.removeAll { old.contains($0) }
        return old.count
    }
}

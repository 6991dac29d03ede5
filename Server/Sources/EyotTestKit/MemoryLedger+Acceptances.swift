import EyotDomain

/// What Apple accepted, in the simplest form.
extension MemoryLedger {
    package func record(_ acceptances: Acceptances) {
        newestEventID += 1
        var stored = acceptances
        stored.id = newestEventID
        acceptanceRows.append(stored)
    }

    package func acceptances(after id: Int64, limit: Int) -> [Acceptances] {
        Array(acceptanceRows.lazy.filter { $0.id > id }.prefix(limit))
    }

    package func acceptances(before id: Int64, limit: Int) -> [Acceptances] {
        Array(acceptanceRows.reversed().lazy.filter { $0.id < id }.prefix(limit))
    }

    package func acceptances(of activity: ActivityID, onPage page: Int, limit: Int) -> [Acceptances] {
        Array(acceptanceRows.reversed().lazy.filter { $0.activity == activity && $0.page == page }.prefix(limit))
    }

    package func removeAcceptances(before moment: Instant, limit: Int) -> Int {
        let old = Set(acceptanceRows.prefix(limit).filter { $0.at < moment }.map(\.id))
        acceptanceRows.removeAll { old.contains($0.id) }
        return old.count
    }

    package func removeAcceptances(of activity: ActivityID, limit: Int) -> Int {
        let gone = Set(acceptanceRows.lazy.filter { $0.activity == activity }.prefix(limit).map(\.id))
        acceptanceRows.removeAll { gone.contains($0.id) }
        return gone.count
    }
}

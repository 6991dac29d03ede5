import EyotDomain

/// Operations, in the simplest form.
extension MemoryLedger {
    package func insert(_ operation: Operation) -> Operation {
        var stored = operation
        newestIDs.operation += 1
        stored.id = newestIDs.operation
        operations.append(stored)
        return stored
    }

    package func operation(_ id: Int64, in app: AppID) -> Operation? {
        operations.first { $0.id == id && $0.app == app }
    }

    package func operations(
        of source: String, in app: AppID, after activity: ActivityID, id: Int64, limit: Int
    ) -> [Operation] {
        let found = operations.compactMap { one in one.activity.map { (($0.rawValue, one.id), one) } }
            .filter { $0.1.app == app && $0.1.source == source && $0.0 > (activity.rawValue, id) }
        return Array(found.sorted { $0.0 < $1.0 }.map(\.1).prefix(limit))
    }

    package func operations(ofRequest id: String, in app: AppID, limit: Int) -> [Operation] {
        operations.filter { $0.app == app && [$0.request?.own, $0.request?.callers].contains(id) }.prefix(limit)
            .map(\.self)
    }

    package func operationsWithSource(
        in app: AppID, from start: Instant, to end: Instant, limit: Int
    ) -> [Operation] {
        let found = operations.filter {
            $0.app == app && $0.source != nil && $0.acceptedAt >= start && $0.acceptedAt <= end
        }
        return Array(found.sorted { ($0.acceptedAt, $0.id) < ($1.acceptedAt, $1.id) }.prefix(limit))
    }

    package func update(_ operation: Operation) {
        guard let index = operations.firstIndex(where: { $0.id == operation.id }) else { return }
        operations[index] = operation
    }

    package func operation(declaring version: Version, of activity: ActivityID, at moment: Instant) -> Operation? {
        operations.first {
            $0.acceptedAt == moment && $0.activity == activity && $0.version == version && $0.outcome == .applied
        }
    }

    package func openOperations(of activity: ActivityID, limit: Int) -> [Operation] {
        operations.filter { $0.activity == activity && $0.completion == nil && $0.pending == 0 }.prefix(limit).map(
            \.self)
    }
}

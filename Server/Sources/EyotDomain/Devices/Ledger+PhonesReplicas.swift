extension Ledger {
    /// Calls `body` for the replicas of one device. It reads a hundred at a time and stops after a thousand, because
    /// one transaction looks at no more.
    package func forEachReplica(of device: DeviceID, _ body: (Replica) throws -> Void) throws {
        let (page, limit) = (100, 1_000)
        var (last, seen): (Replica?, Int) = (nil, 0)
        repeat {
            let replicas = try replicas(
                of: device, after: last?.activity ?? ActivityID(rawValue: 0), ordinal: last?.ordinal ?? 0, limit: page)
            for replica in replicas { try body(replica) }
            (last, seen) = (replicas.count == page ? replicas.last : nil, seen + replicas.count)
        } while last != nil && seen < limit
    }
}

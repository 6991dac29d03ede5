import EyotDomain

extension MemoryLedger {
    package func nodes() -> [NodeRecord] {
        nodeRows.values.sorted { Array($0.id.rawValue.utf8).lexicographicallyPrecedes(Array($1.id.rawValue.utf8)) }
    }

    package func put(_ node: NodeRecord) { nodeRows[node.id] = node }

    package func removeNode(_ id: NodeID) { nodeRows[id] = nil }

    package func nodeLeases() -> [NodeLease] { leaseRows.values.sorted { $0.shard < $1.shard } }

    package func nodeLeases(of owner: NodeID) -> [NodeLease] { nodeLeases().filter { $0.owner == owner } }

    package func nodeLease(of shard: Int) -> NodeLease? { leaseRows[shard] }

    package func fullAt(_ source: LimitedSource) -> Instant? { sourceRows[source] }

    package func put(fullAt: Instant, of source: LimitedSource) { sourceRows[source] = fullAt }

    package func removeSources(fullBefore moment: Instant, limit: Int) -> Int {
        let full = sourceRows.filter { $0.value < moment }.prefix(limit).map(\.key)
        for source in full { sourceRows[source] = nil }
        return full.count
    }

    package func sharedToken(of fingerprint: String) -> SharedToken? { tokenRows[fingerprint] }

    package func put(_ token: SharedToken) { tokenRows[token.fingerprint] = token }

    package func removeSharedTokens(issuedBefore moment: Instant) {
        tokenRows = tokenRows.filter { $0.value.issuedAt >= moment }
    }

    package func replace(_ former: NodeLease?, by lease: NodeLease) -> Bool {
        let stands = leaseRows[lease.shard]
        guard stands?.epoch == former?.epoch, stands?.until == former?.until else { return false }
        leaseRows[lease.shard] = lease
        return true
    }
}

import EyotDomain

extension MemoryLedger {
    package func nodeLease(of shard: Int) -> NodeLease? { nodeLeases[shard] }

    package func replace(_ former: NodeLease?, by lease: NodeLease) -> Bool {
        let stands = nodeLeases[lease.shard]
        guard stands?.epoch == former?.epoch, stands?.until == former?.until else { return false }
        nodeLeases[lease.shard] = lease
        return true
    }
}

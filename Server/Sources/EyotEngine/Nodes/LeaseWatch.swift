import EyotDomain

/// For how long this node has seen another one's lease unchanged. An owner that runs extends its lease sooner than it
/// ends, whatever its clock reads, so one that has not changed for that long is abandoned.
struct LeaseWatch {
    private var seen: NodeLease?
    private var since = 0.0

    /// - Returns: the lease, if it has not changed for longer than a lease runs.
    mutating func abandoned(_ lease: NodeLease?, uptime: Double) -> NodeLease? {
        if lease != seen { (seen, since) = (lease, uptime) }
        return uptime - since > Double(NodeLease.duration) ? lease : nil
    }
}

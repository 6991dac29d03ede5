import EyotDomain

/// How long this node has seen another node's lease unchanged. A running owner extends its lease before it ends,
/// whatever its clock reads. So a lease that stays unchanged for its whole duration is abandoned.
struct LeaseWatch {
    private var seen: NodeLease?
    private var since = 0.0

    /// - Returns: The lease, if it has not changed for longer than a lease lasts; otherwise nil.
    mutating func abandoned(_ lease: NodeLease?, uptime: Double) -> NodeLease? {
        if lease != seen { (seen, since) = (lease, uptime) }
        return uptime - since > Double(NodeLease.duration) ? lease : nil
    }
}

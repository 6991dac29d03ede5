import EyotDomain

/// The reads and writes of a start with very many cards.
extension MemoryLedger {
    package func startCandidates(_ ids: ClosedRange<Int64>, type: String) -> [StartCandidate] {
        devices.filter { ids.contains($0.id.rawValue) }.sorted { $0.id.rawValue < $1.id.rawValue }
            .map { StartCandidate($0, startToken(of: $0.id, type: type)) }
    }

    package func devicesWithStarts(
        _ ids: ClosedRange<Int64>, of activity: ActivityID, after earliest: Instant, before latest: Instant
    ) -> Set<Int64> {
        Set(
            replicas.values.joined().lazy.filter { replica in
                replica.activity == activity || replica.startsAt.map { earliest < $0 && $0 < latest } ?? false
            }.map(\.device.rawValue).filter(ids.contains))
    }

    package func insert(places devices: [DeviceID], like first: Replica) {
        for (index, device) in devices.enumerated() { insert(first.place(first.ordinal + index, for: device)) }
    }
}

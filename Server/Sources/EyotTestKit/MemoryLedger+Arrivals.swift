import EyotDomain

/// The log of answered tokens that are not set yet.
extension MemoryLedger {
    package func advance(_ device: DeviceID, epoch: Int, to sequence: Int, at now: Instant) -> Bool {
        guard let index = devices.firstIndex(where: { $0.id == device }), devices[index].epoch == epoch,
            devices[index].sequence < sequence
        else { return false }
        devices[index].sequence = sequence
        devices[index].seenAt = now
        return true
    }

    package func ringCard(ofInstance instance: String, on device: DeviceID) -> RingCard? {
        guard let replica = replica(ofInstance: instance, on: device), replica.isInRing,
            let device = self.device(device)
        else { return nil }
        return RingCard(Reporter(device), replica)
    }

    package func append(_ arrivals: [Arrival]) {
        for arrival in arrivals {
            newestIDs.arrival += 1
            var stored = arrival
            stored.id = newestIDs.arrival
            self.arrivals.append(stored)
        }
    }

    package func arrival(_ id: Int64) -> Arrival? { arrivals.first { $0.id == id } }

    package func arrivals(of device: DeviceID) -> [Arrival] { arrivals.filter { $0.device == device } }

    package func arrivalPlaces(of app: AppID, limit: Int) -> [ArrivalPlace] {
        arrivals.filter { $0.app == app }.prefix(limit).map {
            ArrivalPlace(id: $0.id, device: $0.device, activity: $0.activity, ordinal: $0.ordinal)
        }
    }

    package func arrivalSpan() -> Int { Self.span(of: arrivals) }

    package func arrivalSpan(of app: AppID) -> Int { Self.span(of: arrivals.filter { $0.app == app }) }

    private static func span(of arrivals: [Arrival]) -> Int {
        guard let first = arrivals.first, let last = arrivals.last else { return 0 }
        return Int(last.id - first.id) + 1
    }

    package func removeArrivals(_ ids: [Int64]) { arrivals.removeAll { ids.contains($0.id) } }
}

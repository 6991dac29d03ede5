import EyotDomain

/// The reservation of places for the devices of a start. Most devices have no known start of the activity, so only the
/// device decides. Those are read and inserted together. The others are checked one by one, with their known starts.
struct PlanStarts {
    /// The largest gap between the ids of two devices that are read together. Reading a few unneeded rows is faster
    /// than another query.
    private static let gap: Int64 = 4

    let ledger: any Ledger
    let keep: ReserveStart
    /// How many devices are checked one by one before the rest is left to another transaction.
    let limit: Int

    /// The phones that get a place, and those that get none.
    private struct Phones {
        var eligible: [CountedPhone: Int] = [:]
        var skipped: [CountedPhone: Int] = [:]

        mutating func note(_ candidate: StartCandidate, isEligible: Bool) {
            if isEligible {
                eligible[CountedPhone(candidate), default: 0] += 1
            } else {
                skipped[CountedPhone(candidate), default: 0] += 1
            }
        }
    }

    /// - Parameter members: Ids of devices, in ascending order.
    /// - Returns: How many of the first members were processed.
    func callAsFunction(
        _ members: [Int64], in activity: inout Activity, _ operation: inout Operation
    ) throws -> Int {
        var (told, asked) = (0, 0)
        let app = try ledger.app(activity.app)
        var build = ""
        // Devices that were removed are no longer in its numbers either.
        let skipped = operation.skipped
        var phones = Phones()
        defer { count(phones, operation, since: skipped, in: activity) }
        for span in Self.spans(of: members) {
            let (candidates, known) = try read(span, of: activity)
            var next = candidates.startIndex
            var places: [DeviceID] = []
            for member in span {
                while next < candidates.endIndex, candidates[next].id.rawValue < member { next += 1 }
                told += 1
                // A removed device gets no place and no reason.
                guard next < candidates.endIndex, candidates[next].id.rawValue == member else {
                    operation.members? -= 1
                    continue
                }
                let candidate = candidates[next]
                guard known.contains(member) else {
                    if let failure = keep.failure(for: candidate, in: activity, of: app) {
                        operation.skip(failure)
                        phones.note(candidate, isEligible: false)
                        continue
                    }
                    if candidate.appVersion != build {
                        build = candidate.appVersion
                        try ledger.note(build, of: activity.id)
                    }
                    places.append(candidate.id)
                    phones.note(candidate, isEligible: true)
                    continue
                }
                try insert(&places, in: &activity, &operation)
                let isEligible = try ask(candidate.id, in: &activity, &operation)
                phones.note(candidate, isEligible: isEligible)
                asked += 1
                if asked == limit { return told }
            }
            try insert(&places, in: &activity, &operation)
        }
        return told
    }

    /// Counts the devices that get a place, and those that get none.
    private func count(
        _ phones: Phones, _ operation: Operation, since former: [StartFailure: Int], in activity: Activity
    ) {
        let counts = keep.transaction.counts(of: activity.id, in: activity.app)
        for (phone, number) in phones.eligible { keep.transaction.countEligible(phone, times: number, of: activity) }
        for (phone, number) in phones.skipped { keep.transaction.countSkipped(phone, times: number, of: activity) }
        for (failure, count) in operation.skipped {
            ledger.count(.skipped, failure.rawValue, times: count - (former[failure] ?? 0), in: counts)
        }
    }

    private func read(
        _ span: ArraySlice<Int64>, of activity: Activity
    ) throws -> (candidates: [StartCandidate], known: Set<Int64>) {
        guard let first = span.first, let last = span.last else { return ([], []) }
        return (
            try ledger.startCandidates(first...last, type: keep.type),
            try ledger.devicesWithStarts(
                first...last, of: activity.id, after: keep.terms.startsAt - TypeProfile.startWindow,
                before: keep.terms.startsAt + TypeProfile.startWindow)
        )
    }

    private func insert(
        _ places: inout [DeviceID], in activity: inout Activity, _ operation: inout Operation
    ) throws {
        guard let first = places.first else { return }
        try keep.transaction.insert(places: places, like: keep.place(for: first, in: activity), in: activity.app)
        activity.nextOrdinal += places.count
        operation.starting += places.count
        places = []
    }

    /// - Returns: Whether the device got a place.
    private func ask(_ id: DeviceID, in activity: inout Activity, _ operation: inout Operation) throws -> Bool {
        guard let device = try ledger.device(id) else { return false }
        if let failure = try keep(for: device, in: &activity) {
            operation.skip(failure)
            return false
        }
        operation.starting += 1
        return true
    }

    /// Slices of ascending ids that lie close together.
    private static func spans(of members: [Int64]) -> [ArraySlice<Int64>] {
        var spans: [ArraySlice<Int64>] = []
        var first = members.startIndex
        for index in members.indices.dropFirst() where members[index] - members[index - 1] > gap {
            spans.append(members[first..<index])
            first = index
        }
        if first < members.endIndex { spans.append(members[first...]) }
        return spans
    }
}

extension Operation {
    /// Counts a device that gets no card. If the state is only for the started cards, the device is no longer a member.
    fileprivate mutating func skip(_ failure: StartFailure) {
        skipped[failure, default: 0] += 1
        members? -= 1
    }
}

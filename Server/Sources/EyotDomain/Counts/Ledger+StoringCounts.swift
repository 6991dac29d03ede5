/// The writing of kept numbers at the end of a transaction.
extension Ledger {
    /// Writes what this transaction has added to kept numbers so far.
    package func storeCounts() throws {
        let changes = counted
        counted = CountChanges()
        try storeCounts(changes)
    }

    /// Writes what a transaction adds to kept numbers.
    package func storeCounts(_ changes: CountChanges) throws {
        try store(changes)
        try store(ofTypes(changes.ofTypes))
    }

    private func store(_ changes: CountChanges) throws {
        for (key, value) in changes.values.sorted(by: { $0.key < $1.key }) where value != 0 {
            try store(value, to: key)
        }
    }

    private func store(_ value: Int, to key: CountKey) throws {
        var place = key
        if key.counter.isLevel { place.span = .life }
        if keepsApart(place) { try add(value, to: place) } else { place.detail = try settle(value, to: place) }
        guard key.counter.isLevel else { return }
        place.span = key.span
        try add(value, to: place)
    }

    /// Adds what writers keep apart to the numbers themselves, for spans that ended by a second and for present ones.
    /// Only then are the details limited, because a writer would have to read what others add at the same time.
    ///
    /// - Returns: How many numbers it took, up to the limit.
    package func foldCounts(endedBy second: Int, limit: Int) throws -> Int {
        let parts = try takeParts(endedBy: second, limit: limit)
        for part in parts where part.value != 0 { _ = try settle(part.value, to: part.key) }
        return parts.count
    }

    /// Adds to a number itself, and keeps the details of its counter within their limit.
    ///
    /// - Returns: The detail that it counts as.
    private func settle(_ value: Int, to key: CountKey) throws -> String {
        var place = key
        var isGone = false
        if let limit = key.counter.detailLimit {
            let (known, isPresent) = (try count(at: place), place.span == .life)
            if known == nil, try isPresent && value < 0 || details(at: place).count >= limit {
                place.detail = KeptCounter.otherDetail
            }
            // A version or a build that no card or device has any more leaves room for others.
            isGone = isPresent && known == -value
        }
        if isGone { try removeCount(at: place) } else { try addWhole(value, to: place) }
        return place.detail
    }

    /// The same numbers at the places of the activities' types.
    private func ofTypes(_ values: [CountKey: Int]) throws -> CountChanges {
        var (changes, numbers): (CountChanges, [ActivityID: Int?]) = (CountChanges(), [:])
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let number = try numbers[key.activity] ?? typeNumber(of: key.activity)
            numbers[key.activity] = .some(number)
            guard let number else { continue }
            var place = key
            place.activity = .ofType(number)
            changes.add(value, to: place)
        }
        return changes
    }

    /// The number of an activity's type; nil while the type is unknown, and if the app has too many types.
    ///
    /// Phones can report any type. Half of the places are only for types that a backend has declared.
    private func typeNumber(of id: ActivityID) throws -> Int? {
        guard let activity = try activity(id), let type = activity.type else { return nil }
        if let number = try typeNumber(of: type, in: activity.app) { return number }
        let limit = activity.isTypeDeclared ? KeptCounter.typeLimit : KeptCounter.typeLimit / 2
        return try addType(type, in: activity.app, limit: limit)
    }
}

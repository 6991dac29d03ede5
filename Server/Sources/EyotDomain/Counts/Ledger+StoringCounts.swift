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
        for (place, numbers) in changes.spans.sorted(by: { $0.key < $1.key }) { try add(numbers, at: place) }
        for (key, value) in changes.values.sorted(by: { $0.key < $1.key }) where value != 0 {
            try store(value, to: key)
        }
        for (place, numbers) in try ofTypes(changes).sorted(by: { $0.key < $1.key }) {
            for count in numbers.counts(at: place) where count.value != 0 { try store(count.value, to: count.key) }
        }
    }

    /// Adds to numbers that are stored together.
    package func add(_ numbers: SpanNumbers, at place: CountPlace) throws {
        var all = try self.numbers(at: place)
        all.merge(numbers)
        try put(all, at: place)
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

    private static var fewDetails: Int { 20 }

    /// Adds to a number itself, and keeps the details of its counter within their limit.
    ///
    /// - Returns: The detail that it counts as.
    private func settle(_ value: Int, to key: CountKey) throws -> String {
        var place = key
        var isGone = false
        if let limit = key.counter.detailLimit {
            let isPresent = place.span == .life
            // Of few details all are read at once.
            let details = limit <= Self.fewDetails ? try details(at: place) : nil
            let known = try details.map { $0[place.detail] } ?? count(at: place)
            if known == nil, try isPresent && value < 0 || (details ?? self.details(at: place)).count >= limit {
                place.detail = KeptCounter.otherDetail
            }
            // A version or a build that no card or device has any more leaves room for others.
            isGone = isPresent && known == -value
        }
        if isGone { try removeCount(at: place) } else { try addWhole(value, to: place) }
        return place.detail
    }

    /// The same numbers at the places of the activities' types.
    private func ofTypes(_ changes: CountChanges) throws -> [CountPlace: SpanNumbers] {
        var (sums, known): ([CountPlace: SpanNumbers], [DeclaredType: Int?]) = ([:], [:])
        // In order, because a new type gets the next number.
        for (former, added) in changes.ofTypes.sorted(by: { $0.key < $1.key }) {
            guard let type = try changes.types[former.activity] ?? declaredType(of: former.activity) else { continue }
            let number = try known[type] ?? typeNumber(of: type, in: former.app)
            known[type] = .some(number)
            guard let number else { continue }
            var place = former
            place.activity = .ofType(number)
            sums[place, default: SpanNumbers()].merge(added)
        }
        return sums
    }

    /// The number of a type; nil if the app has too many types.
    ///
    /// Phones can report any type. Half of the places are only for types that a backend has declared.
    private func typeNumber(of type: DeclaredType, in app: AppID) throws -> Int? {
        if let number = try typeNumber(of: type.name, in: app) { return number }
        let limit = type.isDeclared ? KeptCounter.typeLimit : KeptCounter.typeLimit / 2
        return try addType(type.name, in: app, limit: limit)
    }
}

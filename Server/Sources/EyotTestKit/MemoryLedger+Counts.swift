import EyotDomain

/// Kept numbers, in the simplest form.
extension MemoryLedger {
    package func numbers(at place: CountPlace) -> SpanNumbers { spanRows[place] ?? SpanNumbers() }

    package func put(_ numbers: SpanNumbers, at place: CountPlace) {
        spanRows[place] = numbers.isEmpty ? nil : numbers
    }

    package func spans(
        ofWidth width: Int, before second: Int, limit: Int
    ) -> [(place: CountPlace, numbers: SpanNumbers)] {
        let found = spanRows.filter { $0.key.span.width == width && $0.key.span.second < second }
        let sorted = found.sorted { ($0.key.span.second, $0.key) < ($1.key.span.second, $1.key) }
        return sorted.prefix(limit).map { ($0.key, $0.value) }
    }

    package func declaredType(of activity: ActivityID) -> DeclaredType? {
        self.activity(activity)?.declaredType
    }

    package func add(_ value: Int, to key: CountKey) {
        guard !key.place.isTogether else {
            spanRows[key.place, default: SpanNumbers()].add(value, to: key.counter, key.detail)
            return
        }
        countRows[key] = key.counter.adding(value, to: countRows[key] ?? 0)
    }

    package func addWhole(_ value: Int, to key: CountKey) { add(value, to: key) }

    package func count(at key: CountKey) -> Int? {
        key.place.isTogether ? numbers(at: key.place)[key.counter, key.detail] : countRows[key]
    }

    package func details(at place: CountKey) -> [String: Int] {
        var counts: [String: Int] = [:]
        if place.place.isTogether {
            for entry in numbers(at: place.place).entries where entry.counter == place.counter {
                counts[entry.detail] = entry.value
            }
        } else {
            for (key, value) in countRows where key.place == place.place && key.counter == place.counter {
                counts[key.detail] = value
            }
        }
        return counts
    }

    package func counts(in range: CountRange, limit: Int) -> [KeptCount] {
        let found = counts(of: range.activity, in: range.app, limit: .max).filter {
            $0.key.span.width == range.width && range.seconds.contains($0.key.span.second)
        }
        return Array(found.prefix(limit))
    }

    package func removeInsights(before second: Int, limit: Int) -> Int {
        let found = countRows.keys.filter {
            $0.activity.rawValue <= 0 && $0.span.width == CountSpan.day && $0.span.second < second
        }.prefix(limit)
        for key in found { countRows[key] = nil }
        return found.count
    }

    package func keepsApart(_ key: CountKey) -> Bool { false }

    package func takeParts(endedBy second: Int, limit: Int) -> [KeptCount] { [] }

    package func typeNumber(of name: String, in app: AppID) -> Int? {
        keptTypes[app]?.firstIndex(of: name).map { $0 + 1 }
    }

    package func addType(_ name: String, in app: AppID, limit: Int) -> Int? {
        let known = keptTypes[app]?.count ?? 0
        guard known < limit else { return nil }
        keptTypes[app, default: []].append(name)
        return known + 1
    }

    package func counts(of activity: ActivityID, in app: AppID, limit: Int) -> [KeptCount] {
        let single = countRows.filter { $0.key.app == app && $0.key.activity == activity }
        let together = spanRows.filter { $0.key.app == app && $0.key.activity == activity }
        let all = single.map { KeptCount($0.key, $0.value) } + together.flatMap { $0.value.counts(at: $0.key) }
        return Array(all.sorted { $0.key < $1.key }.prefix(limit))
    }

    package func counts(ofWidth width: Int, before second: Int, limit: Int) -> [KeptCount] {
        let found = countRows.filter { $0.key.span.width == width && $0.key.span.second < second }
        let sorted = found.sorted { ($0.key.span.second, $0.key) < ($1.key.span.second, $1.key) }
        return Array(sorted.prefix(limit).map { KeptCount($0.key, $0.value) })
    }

    package func removeCount(at key: CountKey) {
        countRows[key] = nil
        spanRows[key.place]?.remove(key.counter, key.detail)
        if spanRows[key.place]?.isEmpty == true { spanRows[key.place] = nil }
    }

    package func removeCounts(of activity: ActivityID, in app: AppID, limit: Int) -> Int {
        let places = spanRows.keys.filter { $0.app == app && $0.activity == activity }.sorted().prefix(limit)
        for place in places { spanRows[place] = nil }
        let keys = countRows.keys.filter { $0.app == app && $0.activity == activity }.sorted()
        let left = keys.prefix(limit - places.count)
        for key in left { countRows[key] = nil }
        return places.count + left.count
    }

    package func updatedCards(onPage page: Int, of activity: ActivityID) -> RingSlots {
        updatedCards[activity]?[page] ?? RingSlots()
    }

    package func put(updatedCards cards: RingSlots, onPage page: Int, of activity: ActivityID) {
        updatedCards[activity, default: [:]][page] = cards
    }

    package func phones(of ordinals: ClosedRange<Int>, of activity: ActivityID) -> [Int: CountedPhone] {
        let found = (replicas[activity] ?? []).filter { ordinals.contains($0.ordinal) }
        let phones = found.compactMap { one in device(one.device).map { (one.ordinal, CountedPhone($0)) } }
        return Dictionary(uniqueKeysWithValues: phones)
    }

    package func put(_ report: KeptReport) {
        removeKeptReport(of: report.activity)
        reportRows.append(report)
    }

    package func keptReports(named name: String, in app: AppID, limit: Int) -> [KeptReport] {
        Array(
            reportRows.filter { $0.app == app && $0.name == name }.sorted { $0.generation > $1.generation }
                .prefix(limit))
    }

    package func keptReports(since moment: Instant, limit: Int) -> [KeptReport] {
        let found = reportRows.filter { $0.keptSince.map { $0 < moment } ?? false }
        return Array(found.sorted { ($0.keptSince ?? moment) < ($1.keptSince ?? moment) }.prefix(limit))
    }

    package func removeKeptReport(of activity: ActivityID) { reportRows.removeAll { $0.activity == activity } }
}

import EyotDomain

extension Commands {
    /// Reads what runs in an app: a bounded number of activities, by kept numbers.
    ///
    /// - Parameters:
    ///   - behind: since when cards of activities can be behind, as the engine of this process knows it.
    ///   - lists: the lists that this process keeps.
    package func overview(
        of app: App, behind: [ActivityID: Instant], lists: RunningActivities
    ) async throws -> Overview {
        let now = clock.now
        let all = try await lists.list(of: app.id, in: store, clock)
        let known = Set(all.map(\.id))
        let ages = behind.filter { known.contains($0.key) }.mapValues { pushing.age(of: $0, at: now) }
        let halted = try await store.read { try $0.haltedActivities(of: app.id, limit: Overview.halted) }
        let alone = Self.listedAlone(all, ages, halted)
        var overview = Overview(at: now, running: all.count, isComplete: all.count < RunningActivities.limit)
        overview.cards = all.reduce(0) { $0 + $1.cards }
        overview.behindSeconds = ages.values.max()
        for one in all where alone.contains(one.id) {
            // A transaction for each, so that no reader of the store is held for long.
            let report = try await store.read { try $0.report(on: one, of: app, at: now) }
            guard var report else { continue }
            report.behindSeconds = ages[one.id]
            overview.activities.append(report)
        }
        overview.activities.sort(by: RunningReport.isWorse)
        overview.others = try await others(all.filter { !alone.contains($0.id) })
        overview.planned = try await planned(in: app.id, at: now)
        return overview
    }

    private static func listedAlone(
        _ all: [RunningActivity], _ ages: [ActivityID: Double], _ halted: [ActivityID]
    ) -> Set<ActivityID> {
        let isFew = all.count <= Overview.small
        let large = all.prefix(Overview.largest).filter { isFew || $0.places > Overview.small }.map(\.id)
        let late = ages.filter { $0.value > Overview.lateSeconds }.sorted { $0.value > $1.value }
        return Set(large + halted + late.prefix(Overview.late).map(\.key))
    }

    /// Groups small activities by type, the largest group first. The newest activity of a group gives the name.
    private func others(_ all: [RunningActivity]) async throws -> [Overview.Others] {
        let groups = Dictionary(grouping: all, by: \.type).sorted {
            ($0.value.count, $0.key ?? "") > ($1.value.count, $1.key ?? "")
        }
        return try await store.read { ledger in
            try groups.prefix(Overview.groups).compactMap { type, members in
                guard let newest = members.max(by: { $0.id.rawValue < $1.id.rawValue }),
                    let activity = try ledger.activity(newest.id)
                else { return nil }
                let cards = members.reduce(0) { $0 + $1.cards }
                return Overview.Others(type: type, name: activity.name, activities: members.count, cards: cards)
            }
        }
    }

    private func planned(in app: AppID, at now: Instant) async throws -> [Overview.Planned] {
        let (seconds, limit) = Overview.plannedAhead
        return try await store.read { ledger in
            let found = try ledger.plannedActivities(of: app, after: now, upTo: now + seconds, limit: limit)
            return try found.compactMap { id in
                guard let activity = try ledger.activity(id) else { return nil }
                let starting = try ledger.count(at: CountKey(app: app, activity: id, .phase, "starting"))
                return Overview.Planned(activity: activity, starting: starting ?? 0)
            }
        }
    }
}

extension RunningReport {
    /// Halted activities come first, then those that are behind for longest, then those with most cards.
    fileprivate static func isWorse(_ a: RunningReport, _ b: RunningReport) -> Bool {
        func rank(_ report: RunningReport) -> (Int, Double, Int, String) {
            let age = report.behindSeconds ?? 0
            return (report.halt == nil ? 0 : 1, age > Overview.lateSeconds ? age : 0, report.cards, "")
        }
        let (one, other) = (rank(a), rank(b))
        return one == other ? a.activity.name < b.activity.name : one > other
    }
}

extension Ledger {
    /// Reads the numbers of one activity; nil if it has ended or is gone.
    fileprivate func report(on running: RunningActivity, of app: App, at now: Instant) throws -> RunningReport? {
        guard let activity = try activity(running.id), !activity.isEnded else { return nil }
        var report = RunningReport(activity: activity, cards: running.cards)
        report.halt = try self.app(app.id)?.halt(of: activity)
        try addMinute(to: &report, at: now)
        report.shown = try shown(of: activity, at: now)
        report.recent = try recentAges(of: activity, at: now)
        report.declared = try declaration(activity.version, of: activity.id)
        report.operation = try report.declared.flatMap {
            try operation(declaring: activity.version, of: activity.id, at: $0.acceptedAt)
        }
        report.key = try report.operation?.key.flatMap { try apiKey($0) }
        return report
    }

    private func addMinute(to report: inout RunningReport, at now: Instant) throws {
        let (width, activity) = (CountSpan.widths[0].seconds, report.activity)
        var numbers = KeptNumbers()
        let last = CountSpan(of: now, width: width).second
        for second in stride(from: last - Overview.minute, through: last, by: width) {
            for counter in [KeptCounter.acceptedAge, .longestAccepted, .accepted, .refused] {
                let span = CountSpan(width: width, second: second)
                let place = CountKey(app: activity.app, activity: activity.id, counter, in: span)
                for (detail, value) in try details(at: place) {
                    var key = place
                    key.detail = detail
                    numbers.add(KeptCount(key, value))
                }
            }
        }
        report.ages = numbers.ages(.acceptedAge, longest: .longestAccepted)
        (report.accepted, report.refused) = (numbers.total(.accepted), numbers.total(.refused))
    }

    /// The longest state age of each step. Older numbers have been merged into wider spans, which fill several steps.
    private func recentAges(of activity: Activity, at now: Instant) throws -> [Double?] {
        let (count, seconds) = Overview.recentSteps
        let last = CountSpan(of: now, width: seconds).second
        let first = last - (count - 1) * seconds
        var steps = [Double?](repeating: nil, count: count)
        for (width, _) in CountSpan.widths.prefix(2) {
            let range = CountRange(
                app: activity.app, activity: activity.id, width: width, seconds: first - width..<last + seconds)
            for number in try counts(of: .longestAccepted, in: range, limit: 1_000) {
                let begin = number.key.span.second
                for step in max(0, (begin - first) / seconds)...max(0, (begin + width - 1 - first) / seconds)
                where step < count && begin + width > first {
                    steps[step] = max(steps[step] ?? 0, Double(number.value) / 1_000)
                }
            }
        }
        return steps
    }
}

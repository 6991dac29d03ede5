import EyotDomain

/// How often something happened: counts of events by kind and reason over time.
///
/// The counts were kept when the events were recorded. So an answer costs the same for a thousand events and for ten
/// million, and reaches back further than the events themselves.
package struct EventInsight: Sendable {
    /// The length of a step of the series.
    package enum Bucket: String, Sendable, Hashable, CaseIterable {
        case hour, day

        var seconds: Int { self == .hour ? CountSpan.hour : CountSpan.day }
        /// The longest range, in steps.
        var stepLimit: Int { self == .hour ? 31 * 24 : 400 }
        /// The range if the caller names none, in steps.
        var usualSteps: Int { self == .hour ? 24 : 30 }
    }

    /// What a caller asks. Nil stands for everything, or for the usual range up to now.
    package struct Question: Sendable {
        package var kinds: Set<EventKind>?
        /// Counters beside those of events, which are kept for types. Only with the kinds that are asked for too.
        package var counters: [KeptCounter] = []
        /// The name of an activity, for all of its generations.
        package var activity: String?
        package var since: Instant?
        package var until: Instant?
        package var bucket = Bucket.day

        package init() {}
    }

    /// Events of one kind and reason, or what a counter counted for one reason.
    package struct Row: Sendable, Hashable {
        /// The name of the kind or of the counter.
        package var name: String
        /// Empty if the events have none.
        package var reason: String
        package var total = 0
        /// The steps with an event, by their first seconds, oldest first.
        package var series: [Point] = []
    }

    package struct Point: Sendable, Hashable {
        package var second: Int
        package var count: Int
    }

    /// The range, in whole steps.
    package var range: Range<Instant>
    package var bucket: Bucket
    package var rows: [Row]
}

extension EventInsight.Question {
    /// The range in whole steps: the steps that the two ends lie in are part of it.
    ///
    /// - Throws: `dateOutOfRange`.
    func range(at now: Instant) throws(EyotError) -> Range<Int> {
        let step = bucket.seconds
        let last = until ?? now
        let first = since ?? last - Double((bucket.usualSteps - 1) * step)
        guard first <= last else {
            throw EyotError(.dateOutOfRange, "since must not be later than until", field: "since")
        }
        let (lower, upper) = (CountSpan(of: first, width: step).second, CountSpan(of: last, width: step).second + step)
        guard (upper - lower) / step <= bucket.stepLimit else {
            throw EyotError(
                .dateOutOfRange, "the range must have at most \(bucket.stepLimit) times a \(bucket.rawValue)",
                field: "since")
        }
        guard bucket == .day || lower >= CountSpan(of: now - CountSpan.hoursKept, width: CountSpan.day).second else {
            throw EyotError(
                .dateOutOfRange, "hours are kept for 30 days: ask for bucket=day, or for a later since", field: "since")
        }
        return lower..<upper
    }
}

extension Commands {
    /// The most kept numbers that one answer reads.
    private static let numberLimit = 100_000
    /// The most generations of a name that are counted together.
    private static let generationLimit = 50

    /// - Throws: `dateOutOfRange`, `activityUnknown`, and `fieldInvalid` if the range has too many numbers.
    package func insight(_ question: EventInsight.Question, of app: AppID) async throws -> EventInsight {
        let seconds = try question.range(at: clock.now)
        let counts = try await store.read { ledger in
            var counts = try question.counters(of: app, in: ledger, seconds, limit: Self.numberLimit)
            for activity in try question.activities(of: app, in: ledger, limit: Self.generationLimit) {
                for width in CountSpan.widths.map(\.seconds) {
                    counts += try ledger.counts(
                        in: CountRange(app: app, activity: activity, width: width, seconds: seconds),
                        limit: Self.numberLimit + 1 - counts.count)
                    guard counts.count <= Self.numberLimit else {
                        throw EyotError(
                            .fieldInvalid,
                            "the range has more than \(Self.numberLimit) numbers: ask for a shorter one",
                            field: "since")
                    }
                }
            }
            return counts
        }
        return EventInsight(counts, question, in: seconds)
    }
}

extension EventInsight.Question {
    /// Why starts and updates of an app were not sent, or did not get through.
    package static var notSent: EventInsight.Question {
        var question = EventInsight.Question()
        question.kinds = [
            .callRefused, .callLate, .startRefused, .startExpired, .startUnknown, .startSuspected, .startCancelled,
            .pushRefused, .pushUnknown, .broadcastRefused, .broadcastUnknown,
        ]
        question.counters = [.skipped, .superseded]
        return question
    }

    /// The names of the counters, which no kind of event has.
    package static let counterNames: [KeptCounter: String] = [
        .skipped: "start.skipped", .superseded: "update.superseded",
    ]

    /// The name under which a counter is answered; nil if it is not asked for.
    fileprivate func name(of counter: KeptCounter) -> String? {
        if let kind = EventKind(rawValue: counter.name) { return kinds?.contains(kind) ?? true ? kind.rawValue : nil }
        return counters.contains(counter) ? Self.counterNames[counter] : nil
    }

    /// The numbers of the counters in the range, of all types of the app.
    fileprivate func counters(
        of app: AppID, in ledger: any Ledger, _ seconds: Range<Int>, limit: Int
    ) throws -> [KeptCount] {
        var counts: [KeptCount] = []
        guard !counters.isEmpty else { return counts }
        for number in 1...KeptCounter.typeLimit {
            for counter in counters {
                for width in CountSpan.widths.map(\.seconds) {
                    let range = CountRange(app: app, activity: .ofType(number), width: width, seconds: seconds)
                    counts += try ledger.counts(of: counter, in: range, limit: limit - counts.count)
                }
            }
        }
        return counts
    }

    /// The activities with the numbers: those of the name, or the app as a whole.
    fileprivate func activities(of app: AppID, in ledger: any Ledger, limit: Int) throws -> Set<ActivityID> {
        guard let activity else { return [.ofApp] }
        let running = try ledger.activities(named: activity, in: app, limit: limit).map(\.id)
        let gone = try ledger.keptReports(named: activity, in: app, limit: limit).map(\.activity)
        guard !running.isEmpty || !gone.isEmpty else { throw try ledger.unknownActivity(activity, in: app) }
        return Set(running + gone)
    }
}

extension EventInsight {
    private struct Key: Hashable {
        var name: String
        var reason: String
    }

    fileprivate init(_ counts: [KeptCount], _ question: Question, in seconds: Range<Int>) {
        var steps: [Key: [Int: Int]] = [:]
        for count in counts {
            guard let name = question.name(of: count.key.counter) else { continue }
            let step = CountSpan(of: Instant(second: count.key.span.second), width: question.bucket.seconds).second
            steps[Key(name: name, reason: count.key.detail), default: [:]][step, default: 0] += count.value
        }
        range = Instant(second: seconds.lowerBound)..<Instant(second: seconds.upperBound)
        bucket = question.bucket
        rows = steps.map { key, counts in
            let series = counts.sorted { $0.key < $1.key }.map { Point(second: $0.key, count: $0.value) }
            return Row(
                name: key.name, reason: key.reason, total: counts.values.reduce(0, +), series: series)
        }
        rows.sort { ($0.name, $0.reason) < ($1.name, $1.reason) }
    }
}

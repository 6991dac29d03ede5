import EyotDomain

/// How many devices of an app can show Live Activities, over time.
package struct Adoption: Sendable {
    /// The steps of time.
    package enum Bucket: String, Sendable, Hashable, CaseIterable {
        case day, week

        package var days: Int { self == .day ? 1 : 7 }
    }

    /// The numbers at the end of a bucket, or now if the bucket has not ended.
    package struct Point: Sendable {
        package var at: Instant
        package var numbers: KeptNumbers
    }

    package var range: InsightRange
    package var bucket: Bucket
    /// Oldest first. Days before the first one with kept numbers have no point.
    package var points: [Point] = []
}

extension Commands {
    /// The longest and the usual range of adoption, in days.
    package static let daysOfAdoption = (most: 400, usual: 30)

    /// The numbers of an app's devices at the end of each bucket.
    ///
    /// The store has the numbers of now and the changes of each day. So the numbers at the end of a day are those of
    /// now without all later changes.
    ///
    /// - Throws: `fieldInvalid` if the range has too many numbers.
    package func adoption(
        in range: InsightRange, by bucket: Adoption.Bucket, of app: AppID
    ) async throws -> Adoption {
        let today = CountSpan(of: clock.now, width: CountSpan.day).second
        return try await store.read { ledger in
            var place = CountRange(app: app, activity: .ofApp, width: CountSpan.day, seconds: 0..<Int.max)
            let first = try ledger.counts(in: place, limit: 1).first?.key.span.second ?? today
            place.seconds = max(first, range.since.second)..<Int.max
            let changes = try Dictionary(grouping: ledger.insights(in: place), by: \.key.span.second)
            place.width = 0
            place.seconds = 0..<1
            var levels = KeptNumbers(try ledger.insights(in: place))
            var adoption = Adoption(range: range, bucket: bucket)
            for day in stride(from: today, through: max(first, range.since.second), by: -CountSpan.day) {
                if adoption.ends(at: day, today: today) {
                    let at = Instant(second: adoption.beginning(of: day))
                    adoption.points.append(Adoption.Point(at: at, numbers: levels))
                }
                for change in changes[day] ?? [] { levels.add(KeptCount(change.key, -change.value)) }
            }
            adoption.points.reverse()
            return adoption
        }
    }
}

extension Adoption {
    /// The first second of the bucket that a day is in.
    fileprivate func beginning(of day: Int) -> Int {
        day - (day - range.since.second) % (bucket.days * CountSpan.day)
    }

    /// Whether a day in the range is the last one of its bucket, of the range, or of the time until now.
    fileprivate func ends(at day: Int, today: Int) -> Bool {
        guard range.seconds.contains(day) else { return false }
        let next = day + CountSpan.day
        return day == today || next == range.until.second || beginning(of: next) == next
    }
}

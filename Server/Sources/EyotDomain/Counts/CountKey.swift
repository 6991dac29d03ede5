/// The place of one kept number.
package struct CountKey: Sendable, Hashable {
    package var app: AppID
    /// The activity; 0 for a number of the whole app, and below 0 for a number of a type (``init(app:type:_:_:in:)``).
    package var activity: ActivityID
    package var span: CountSpan
    package var counter: KeptCounter
    package var detail: String

    package init(
        app: AppID, activity: ActivityID, _ counter: KeptCounter, _ detail: String = "", in span: CountSpan = .life
    ) {
        self.app = app
        self.activity = activity
        self.span = span
        self.counter = counter
        self.detail = detail
    }

    /// The place of a number of a type, by the type's own number in its app.
    package init(app: AppID, type: Int, _ counter: KeptCounter, _ detail: String = "", in span: CountSpan) {
        self.init(app: app, activity: .ofType(type), counter, detail, in: span)
    }
}

extension ActivityID {
    /// Stands for no activity in the places of numbers that the whole app has.
    package static let ofApp = ActivityID(rawValue: 0)

    /// Stands for no activity in the places of numbers of a type.
    package static func ofType(_ number: Int) -> ActivityID { ActivityID(rawValue: -Int64(number)) }
}

extension CountKey: Comparable {
    package static func < (a: CountKey, b: CountKey) -> Bool {
        (a.app.rawValue, a.activity.rawValue, a.span.width, a.span.second, a.counter.name, a.detail)
            < (b.app.rawValue, b.activity.rawValue, b.span.width, b.span.second, b.counter.name, b.detail)
    }
}

/// A span of time with numbers of its own, or the whole life of an activity.
///
/// Numbers are first kept for 10 seconds each. The pruner merges them into wider spans as they get older, so the number
/// of rows of an activity is bounded.
package struct CountSpan: Sendable, Hashable {
    /// Seconds; 0 for the whole life.
    package var width: Int
    /// The first second, since 1970; 0 for the whole life.
    package var second: Int

    /// The widths from the narrowest, in seconds, and the age in seconds from which a width is merged into the next.
    package static let widths: [(seconds: Int, until: Int)] = [
        (10, 1_800), (600, 86_400), (3_600, 30 * 86_400), (86_400, .max),
    ]

    package static let life = CountSpan(width: 0, second: 0)

    /// The widths of numbers that begin wider than those of activities, in seconds.
    package static let (hour, day) = (3_600, 86_400)

    package init(width: Int, second: Int) {
        self.width = width
        self.second = second
    }

    /// The span of a width that a moment belongs to.
    package init(of moment: Instant, width: Int = widths[0].seconds) {
        self.init(width: width, second: moment.second - moment.second % width)
    }

    /// The span of another width with the same first second in it.
    package func widened(to width: Int) -> CountSpan { CountSpan(of: Instant(second: second), width: width) }
}

/// A kept number and its place.
package struct KeptCount: Sendable, Hashable {
    package var key: CountKey
    package var value: Int

    package init(_ key: CountKey, _ value: Int) {
        self.key = key
        self.value = value
    }
}

/// A span of time of an activity, a type or an app. The numbers of an activity in a span are stored together.
package struct CountPlace: Sendable, Hashable {
    package var app: AppID
    /// See ``CountKey/activity``.
    package var activity: ActivityID
    package var span: CountSpan

    package init(app: AppID, activity: ActivityID, span: CountSpan) {
        (self.app, self.activity, self.span) = (app, activity, span)
    }

    package func key(_ counter: KeptCounter, _ detail: String) -> CountKey {
        CountKey(app: app, activity: activity, counter, detail, in: span)
    }

    /// Whether its numbers are stored together, as ``SpanNumbers``. Many writers add to the numbers of types and apps
    /// at the same time, and the numbers of a whole life are too many. Each of these is stored for itself.
    package var isTogether: Bool { activity.rawValue > 0 && span != .life }
}

extension CountPlace: Comparable {
    package static func < (a: CountPlace, b: CountPlace) -> Bool {
        (a.app.rawValue, a.activity.rawValue, a.span.width, a.span.second)
            < (b.app.rawValue, b.activity.rawValue, b.span.width, b.span.second)
    }
}

extension CountKey {
    package var place: CountPlace { CountPlace(app: app, activity: activity, span: span) }
}

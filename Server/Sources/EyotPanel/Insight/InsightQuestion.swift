import EyotContract
import EyotDomain
import EyotHTTP

/// What a page of insight asks for: a range of time, a group of kinds, and an activity.
struct InsightQuestion {
    struct Range: Sendable {
        var name: String
        var title: String
        var bucket: String
        /// Steps of the bucket up to now.
        var steps: Int

        var seconds: Int { bucket == "hour" ? CountSpan.hour : CountSpan.day }
    }

    struct Steps {
        var first: Int
        var step: Int
        var count: Int
    }

    static let ranges = [
        Range(name: "day", title: "24 hours", bucket: "hour", steps: 24),
        Range(name: "week", title: "7 days", bucket: "hour", steps: 168),
        Range(name: "month", title: "30 days", bucket: "day", steps: 30),
        Range(name: "quarter", title: "90 days", bucket: "day", steps: 90),
    ]
    /// The group with a call of its own.
    static let notSent = "not-sent"
    static let groups = [
        ("all", "Everything", nil), (notSent, "Not sent", nil), ("starts", "Starts", "start.*"),
        ("cards", "Cards", "card.*"),
        ("pushes", "Pushes", "push.*,broadcast.*"), ("tokens", "Tokens", "token.*"), ("phones", "Phones", "device.*"),
    ]

    var range: Range
    var group = "all"
    var activity: String
    var kind: KindFilter

    init(_ query: [String: String]) {
        range = Self.ranges.first { $0.name == query["range"] } ?? Self.ranges[0]
        if let group = query["group"], Self.groups.contains(where: { $0.0 == group }) { self.group = group }
        activity = query["activity"]?.trimmed ?? ""
        kind = KindFilter(query)
    }

    private var isOfNotSent: Bool { group == Self.notSent && kind.types == nil }

    /// When the range begins.
    func since(at now: Instant) -> Instant { now - Double((range.steps - 1) * range.seconds) }

    func query(at now: Instant) -> [String: String] {
        var query = ["bucket": range.bucket, "since": since(at: now).rfc3339]
        query["types"] = kind.types ?? Self.groups.first { $0.0 == group }?.2
        // What was not sent is counted for the app as a whole.
        if !activity.isEmpty, !isOfNotSent { query["activity"] = activity }
        return query
    }

    /// The call that answers it.
    var call: String { isOfNotSent ? "/v1/insights/not-sent" : "/v1/insights/events" }

    func link(_ visit: Visit, _ change: (inout InsightQuestion) -> Void) -> String {
        var other = self
        change(&other)
        return visit.link(
            InsightPage.path,
            [("range", other.range.name), ("group", other.group), ("activity", other.activity)].filter {
                !$0.1.isEmpty
            } + other.kind.parameters)
    }

    /// The steps of an answer.
    func steps(of reply: Reply) -> Steps {
        let (first, last) = (reply["since"].instant?.second ?? 0, reply["until"].instant?.second ?? 0)
        return Steps(first: first, step: range.seconds, count: max(0, (last - first) / range.seconds))
    }

    /// The counts of a kind in each step.
    func counts(of event: Reply, in steps: Steps) -> [Int] {
        var counts = Array(repeating: 0, count: steps.count)
        for point in event["series"].all {
            guard let second = point["at"].instant?.second else { continue }
            let index = (second - steps.first) / steps.step
            if counts.indices.contains(index) { counts[index] += point["count"].number ?? 0 }
        }
        return counts
    }
}

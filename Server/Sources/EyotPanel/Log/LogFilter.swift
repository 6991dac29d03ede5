import EyotContract
import EyotDomain

/// Which events a page of the log shows.
struct LogFilter: Sendable, Equatable {
    /// A group of kinds.
    struct Tab: Sendable {
        var name: String
        var title: String
        /// Kinds, as the API takes them; nil for all.
        var types: String?
        var isErrors = false
    }

    static let tabs = [
        Tab(name: "errors", title: "Errors of Live Activities", isErrors: true), Tab(name: "all", title: "Everything"),
        Tab(name: "starts", title: "Starts", types: "start.*"),
        Tab(name: "pushes", title: "Pushes", types: "push.*,broadcast.*"),
        Tab(name: "cards", title: "Cards", types: "card.*"), Tab(name: "tokens", title: "Tokens", types: "token.*"),
        Tab(name: "phones", title: "Phones", types: "device.*"),
        Tab(name: "operators", title: "Declared and halted", types: "activity.*,app.*,call.*,type.*,operation.*"),
    ]
    /// How far back a page looks, by its name in the address.
    static let ranges: [(name: String, title: String, seconds: Double?)] = [
        ("", "as far as it is kept", nil), ("hour", "the last hour", 3_600), ("day", "the last day", 86_400),
        ("week", "the last 7 days", 604_800),
    ]
    static let parameters: Set<String> = ["tab", "activity", "user", "device", "since", "before", KindFilter.parameter]

    var kind = KindFilter()
    var tab = "errors"
    var activity = ""
    var user = ""
    var device = ""
    var since = ""

    init(_ query: [String: String]) {
        func text(_ name: String) -> String { query[name]?.trimmed ?? "" }
        if let tab = query["tab"], Self.tabs.contains(where: { $0.name == tab }) { self.tab = tab }
        kind = KindFilter(query)
        (activity, user, device) = (text("activity"), text("user"), text("device"))
        if Self.ranges.contains(where: { $0.name == text("since") }) { since = text("since") }
    }

    /// The filter as parameters of a page.
    var parameters: [(String, String)] {
        [("tab", tab), ("activity", activity), ("user", user), ("device", device), ("since", since)].filter {
            !$0.1.isEmpty
        } + kind.parameters
    }

    /// The filter as parameters of the API. A chosen kind goes before the group.
    func query(at now: Instant) -> [String: String] {
        var query: [String: String] = [:]
        let tab = Self.tabs.first { $0.name == self.tab }
        query["types"] = kind.types ?? tab?.types
        if kind.types == nil, tab?.isErrors == true { query["errors"] = "true" }
        if !activity.isEmpty { query["activity"] = activity }
        if !user.isEmpty { query["user"] = user }
        if !device.isEmpty { query["device"] = device }
        if let seconds = Self.ranges.first(where: { $0.name == since })?.seconds {
            query["since"] = (now - seconds).rfc3339
        }
        return query
    }
}

import EyotContract
import EyotDomain
import EyotHTTP
import Synchronization

/// The log: what happened, newest first. Its first page follows what happens.
struct LogPage {
    static let path = "/panel/log"
    /// The beginning of the topics of open pages. The filter follows.
    static let topic = "log"

    let panel: Panel

    var routes: [Route] { [panel.page(Self.path, query: LogFilter.parameters, show)] }

    private struct Choice {
        var name: String
        var title: String
        var link: String
        var isOn: Bool
    }

    private struct View {
        let action = LogPage.path
        var app: String?
        var tab: String
        var tabs: [Choice]
        var ranges: [Choice]
        var kinds: [KindFilter.Group]
        var typedActivity: String
        var typedUser: String
        var typedDevice: String
        var isFiltered: Bool
        var clear: String
        var isLive: Bool
        var rows: [EventRow] = []
        var isEmpty = true
        var hasMore = false
        var pager = Pager(first: nil, next: nil)
        var problem: FormProblem?
    }

    private func show(_ visit: Visit) async throws -> Answer {
        let filter = LogFilter(visit.call.query)
        let before = visit.call.query["before"]
        var view = view(of: filter, visit)
        do {
            var query = filter.query(at: visit.now)
            (query["limit"], query["before"]) = (String(EventList.size), before)
            let reply = try await visit.reply("/v1/log", query)
            let next = reply["next"].raw
            let list = EventList(
                reply, visit,
                Pager(
                    first: before.map { _ in visit.link(Self.path, filter.parameters) },
                    next: next.map { visit.link(Self.path, filter.parameters + [("before", $0)]) },
                    more: "Earlier"))
            (view.rows, view.isEmpty, view.pager) = (list.rows, list.isEmpty, list.pager)
            // A call looks at a limited number of events, so a page of rare ones can be short.
            view.hasMore = next != nil
        } catch {
            let problem = try FormProblem(error)
            view.problem = problem
            return problem.marking(visit.show("Log", "log", view))
        }
        view.isLive = before == nil
        return visit.show("Log", "log", view, live: view.isLive ? Self.topic(of: filter) : nil)
    }

    private func view(of filter: LogFilter, _ visit: Visit) -> View {
        func link(_ change: (inout LogFilter) -> Void) -> String {
            var other = filter
            change(&other)
            return visit.link(Self.path, other.parameters)
        }
        return View(
            app: visit.appField, tab: filter.tab,
            tabs: LogFilter.tabs.map { tab in
                Choice(
                    name: tab.name, title: tab.title,
                    link: link { ($0.tab, $0.kind) = (tab.name, KindFilter()) },
                    isOn: tab.name == filter.tab && filter.kind.types == nil)
            },
            ranges: LogFilter.ranges.map {
                Choice(name: $0.name, title: $0.title, link: "", isOn: $0.name == filter.since)
            },
            kinds: filter.kind.groups(visit), typedActivity: filter.activity, typedUser: filter.user,
            typedDevice: filter.device,
            isFiltered: filter.parameters.count > 1, clear: visit.link(Self.path, ["tab": filter.tab]), isLive: false)
    }

    // MARK: Live

    private static func topic(of filter: LogFilter) -> String {
        let words = filter.parameters.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }
        return "\(topic)?\(words.joined(separator: "&"))"
    }

    /// Reads what open pages of a topic show; nil if the topic is none of the log's.
    ///
    /// - Throws: `keyForbidden`.
    func look(at name: String, for visit: Visit) throws -> LiveHub.Look? {
        let parts = name.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.first == Substring(Self.topic) else { return nil }
        // One look serves all who follow the topic, so each of them must be allowed it.
        guard visit.may(.eventsRead) else { throw EyotError(.keyForbidden, "your role may not read events") }
        let filter = LogFilter(try FormFields(Array((parts.count > 1 ? parts[1] : "").utf8)).fields(under: ""))
        let follower = LogFollower(filter, visit)
        return { try await follower.look() }
    }
}

/// The newest events for the open pages of one topic. A look reads only what happened since the look before.
final class LogFollower: Sendable {
    /// The most new events that are read by themselves. After more of them the newest page is read again.
    private static let flood = 200

    private struct State {
        var cursor: String?
        var rows: [EventRow] = []
    }

    private let filter: LogFilter
    private let visit: Visit
    private let state = Mutex(State())

    init(_ filter: LogFilter, _ visit: Visit) { (self.filter, self.visit) = (filter, visit) }

    func look() async throws -> [LiveFragment] {
        let cursor = state.withLock { $0.cursor }
        if let cursor {
            try await readOn(from: cursor)
        } else {
            try await readNewest()
        }
        let view = LogRows(rows: state.withLock { $0.rows })
        return [LiveFragment(id: "events", html: Templates.render(view, "log.rows"))]
    }

    private func readNewest() async throws {
        var query = filter.query(at: visit.panel.backend.clock.now)
        query["limit"] = String(EventList.size)
        // The cursor is that of all events, so a rare kind is not searched for again.
        let newest = try await visit.reply("/v1/log", ["limit": "1"])["entries"].all.first?["id"].raw ?? "0"
        let rows = try await visit.reply("/v1/log", query)["entries"].all.map { EventRow($0, in: visit) }
        state.withLock { $0 = State(cursor: newest, rows: rows) }
    }

    private func readOn(from cursor: String) async throws {
        var query = filter.query(at: visit.panel.backend.clock.now)
        query["since"] = nil
        (query["after"], query["limit"]) = (cursor, String(Self.flood))
        let answer = try await visit.ask(LocalCall(.get, "/v1/events", query: query))
        let lines = answer.lines ?? []
        guard lines.count < Self.flood else { return try await readNewest() }
        let rows = lines.reversed().map { EventRow(Reply($0), in: visit) }
        let next = answer.next ?? cursor
        state.withLock { state in
            // Another look may have read the same events meanwhile.
            guard state.cursor == cursor else { return }
            state = State(cursor: next, rows: Array((rows + state.rows).prefix(EventList.size)))
        }
    }
}

/// The rows of the log.
struct LogRows {
    let rows: [EventRow]
    let isEmpty: Bool

    init(rows: [EventRow]) { (self.rows, isEmpty) = (rows, rows.isEmpty) }
}

import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// One call of a signed-in member to a page of the panel, about one app.
struct Visit: Sendable {
    /// The parameter that names the app.
    static let appParameter = "app"

    let call: Call
    let member: SignedIn
    let seat: SignedIn.Seat
    let panel: Panel
    var standing = AppStanding()
    /// Whether links name the app even if the member has no other. Parts of open pages go to many members.
    var namesApp = false
    /// Receives what is read of people for the page; nil for the record.
    var onRead: (@Sendable (AuditEntry) -> Void)?

    init(_ call: Call, of member: SignedIn, to panel: Panel) throws {
        self.call = call
        self.member = member
        self.panel = panel
        seat = try member.seat(in: call.query[Self.appParameter])
    }

    var now: Instant { call.now }

    /// The member as a caller of the API.
    var caller: Caller { Caller(key: seat.key, app: seat.app) }

    /// Whether the member's role has all of these scopes.
    func may(_ scopes: KeyScope...) -> Bool { scopes.allSatisfy(seat.key.allows) }

    /// Refuses a page that is of no use without these scopes.
    ///
    /// - Throws: `keyForbidden`.
    func require(_ scopes: [KeyScope]) throws(EyotError) { try caller.require(scopes) }

    /// What the pages of viewers with the same rights and apps have in common, for live parts.
    var viewKey: String {
        let scopes = seat.key.scopes.map { $0.map(\.rawValue).sorted().joined(separator: " ") } ?? "all"
        return "\(scopes) \(seat.key.environment?.rawValue ?? "both") \(member.seats.count > 1)"
    }

    /// Whether nothing is sent to the cards of the page for now.
    var isHeld: Bool {
        let path = call.path.prefix { $0 != "?" }
        return standing.alarms.contains { $0.holdsAll || $0.path == path }
    }

    // MARK: The API

    /// Asks the API as the member.
    func ask(_ local: LocalCall) async throws -> Answer {
        try await panel.api.answer(local, as: caller, for: call, onRead: onRead)
    }

    /// Reads JSON of the API as the member.
    func read(_ path: String, _ query: [String: String] = [:]) async throws -> JSONValue {
        try await ask(LocalCall(.get, path, query: query)).json ?? .null
    }

    // MARK: Answers

    /// Returns a link to a page of the panel, about the same app.
    func link(_ path: String, _ query: KeyValuePairs<String, String> = [:]) -> String {
        link(path, query.map { ($0.key, $0.value) })
    }

    /// Returns a link with parameters that are made one by one.
    func link(_ path: String, _ query: [(String, String)]) -> String { Links(app: appField).link(path, query) }

    /// Shows a page.
    ///
    /// - Parameters:
    ///   - title: the name of the page, without states or names of people.
    ///   - template: its template in ``Templates``.
    ///   - view: what the template draws.
    ///   - live: the topic with the fragments that replace elements of the page; nil for a page that stands still.
    func show(_ title: String, _ template: String, _ view: Any, live: String? = nil) -> Answer {
        var frame = PageFrame(self, title: title)
        frame.live = live
        frame.main = Templates.render(view, template, for: member)
        return .page(Templates.render(frame, "frame"))
    }

    /// Sends the browser to a page, which says what was done.
    func redirect(
        to path: String, _ query: KeyValuePairs<String, String> = [:], saying notice: Notice? = nil
    ) -> Answer {
        let link = link(path, query)
        guard let notice else { return .redirect(to: link) }
        return .redirect(to: "\(link)\(link.contains("?") ? "&" : "?")\(Notice.parameter)=\(notice.rawValue)")
    }

    /// Shows why a call failed, in the frame of the page.
    func failure(_ problem: Problem) -> Answer {
        var frame = PageFrame(self, title: "Not done")
        let back = (frame.pages + frame.sections).first(where: \.isOn)?.link ?? frame.home
        frame.main = FailurePage(problem, back: back).main
        return .page(Templates.render(frame, "frame"), status: problem.status)
    }
}

/// Links between pages. They name the app if the member has more than one.
struct Links {
    let app: String?

    /// - Parameter query: the parameters, in the order in which they are written.
    func link(_ path: String, _ query: [(String, String)] = []) -> String {
        let named = query + (app.map { [(Visit.appParameter, $0)] } ?? [])
        let parts = named.map { "\($0.0)=\(PercentEncoding.encoded($0.1))" }
        return parts.isEmpty ? path : "\(path)?\(parts.joined(separator: "&"))"
    }
}

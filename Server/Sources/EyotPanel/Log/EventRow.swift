import APNSWire
import EyotDomain
import EyotHTTP

/// An event as pages draw it: what happened, the phone or the activity, what it means, and what to do.
struct EventRow {
    let id: String
    let at: Moment?
    let tone: String
    let meaning: String
    let kind: String
    let activity: String?
    let activityLink: String
    let user: String?
    let userLink: String
    let device: String?
    let deviceLink: String
    let whyLink: String?
    /// Version, operation, and the first and last digits of a token. Whole tokens are never drawn.
    let details: String?
    let reason: String?
    let reasonMeaning: String?
    let remedy: String?

    init(_ reply: Reply, in visit: Visit) {
        let name = reply["type"].raw ?? ""
        id = reply["id"].text ?? ""
        at = reply["at"].moment
        (kind, meaning) = (Shown.text(name), reply["text"].text ?? "")
        let fact = EventKind(rawValue: name).map { Fact($0, reason: reply["reason"].raw) }
        tone = StoryRow.tone(of: name, because: reply["reason"].raw)
        let (rawActivity, rawUser, rawDevice) = (reply["activity"].raw, reply["user"].raw, reply["device"].raw)
        activity = reply["activity"].text
        activityLink = visit.link("/panel/activities/\(PercentEncoding.encoded(rawActivity ?? ""))")
        (user, userLink) = (reply["user"].text, visit.link(UserPage.path(rawUser ?? "")))
        (device, deviceLink) = (reply["device"].text, visit.link(DevicePage.path(rawDevice ?? "")))
        whyLink = rawDevice.map { device in
            rawActivity.map { visit.link(WhyPage.path, ["device": device, "activity": $0]) }
                ?? visit.link(WhyPage.path, ["device": device])
        }
        let details = [
            reply["version"].number.map { "version \($0)" }, reply["operation"].text.map { "operation \($0)" },
            reply["tokenFingerprint"].text.map { "token \($0)" }, reply["call"].text, reply["field"].text,
            reply["key"].text.map { "key \($0)" }, reply["requestId"].text.map { "request \($0)" },
        ].compactMap(\.self).joined(separator: " · ")
        self.details = details.isEmpty ? nil : details
        reason = reply["reason"].text
        let known = reply["reason"].raw.map(APNSReason.init(name:))
        reasonMeaning = known == .unrecognized ? nil : known?.meaning
        remedy = fact?.remedy
    }
}

/// Events, newest first, and where older ones begin.
struct EventList {
    static let size = 50

    var action = ""
    var app: String?
    var kinds: [KindFilter.Group] = []
    let rows: [EventRow]
    let isEmpty: Bool
    let pager: Pager

    init() { (rows, isEmpty, pager) = ([], true, Pager(first: nil, next: nil)) }

    /// Reads a page of the events of a person or a device, on their own page.
    init(_ visit: Visit, path: String, _ subject: [String: String]) async throws {
        let (before, kind) = (visit.call.query["before"], KindFilter(visit.call.query))
        var query = subject
        (query["limit"], query["before"], query["types"]) = (String(Self.size), before, kind.types)
        let reply = try await visit.reply("/v1/log", query)
        let place = [("tab", "events")] + kind.parameters
        self.init(
            reply, visit,
            Pager(
                first: before.map { _ in visit.link(path, place) },
                next: reply["next"].raw.map { visit.link(path, place + [("before", $0)]) }, more: "Earlier"))
        (action, app, kinds) = (path, visit.appField, kind.groups(visit))
    }

    init(_ reply: Reply, _ visit: Visit, _ pager: Pager) {
        rows = reply["entries"].all.map { EventRow($0, in: visit) }
        isEmpty = rows.isEmpty
        self.pager = pager
    }
}

import EyotHTTP

/// A card in the list of a person or a device: what it should show, what Apple took, and what the phone reported.
struct CardRow {
    let activity: String
    let generation: Int
    let link: String
    let device: String
    let deviceLink: String
    let phase: String
    let tone: String
    let desired: String
    let accepted: String
    let shown: String
    let shownAt: Moment?
    let behindSince: Moment?
    let reason: String?
    /// The token as first and last digits, as the API shows it.
    let fingerprint: String?
    let why: String

    init(_ reply: Reply, in visit: Visit) {
        let (name, card) = (reply["activity"].raw ?? "", reply["card"])
        activity = Shown.text(name)
        generation = reply["generation"].number ?? 0
        link = visit.link("/panel/activities/\(PercentEncoding.encoded(name))")
        let number = card["device"].raw ?? ""
        (device, deviceLink) = (number, visit.link(DevicePage.path(number)))
        phase = card["phase"].text ?? ""
        desired = Self.version(card["desired"])
        accepted = Self.version(card["accepted"])
        let echo = card["shown"]
        shown = echo.json == nil ? "–" : echo["version"].number.map { "v\($0)" } ?? "not declared"
        shownAt = echo["at"].moment
        behindSince = card["behindSince"].moment
        reason =
            card["blocked"]["meaning"].text ?? card["death"]["meaning"].text ?? card["reason"].text
        fingerprint = card["token"]["token"].fingerprint
        tone = Self.tone(phase: phase, isBehind: card["isBehind"].isTrue, isRefused: card["blocked"].json != nil)
        why = visit.link(WhyPage.path, ["device": number, "activity": name])
    }

    private static func version(_ reply: Reply) -> String { reply.number.map { $0 > 0 ? "v\($0)" : "–" } ?? "–" }

    private static func tone(phase: String, isBehind: Bool, isRefused: Bool) -> String {
        switch phase {
        case "dead", "quarantined", "notStarted": "bad"
        case _ where isRefused: "bad"
        case _ where isBehind: "warn"
        case "live", "followingChannel": "good"
        case "channelLost": "bad"
        case "waitingForAllow", "waitingForToken", "starting", "unlisted", "untracked": "warn"
        default: ""
        }
    }
}

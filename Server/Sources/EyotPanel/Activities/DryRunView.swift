import APNSWire
import EyotContract
import EyotDomain

/// What a dry run says: the cards it would reach, what would be sent, and which builds cannot decode it.
struct DryRunView {
    struct Push {
        var title: String
        var size: String
        var bar: String
        var payload: String
        var headers: String
    }

    struct Verdict {
        var build: String
        var tone: String
        var word: String
        var reason: String?
    }

    let reach: String
    let skipped: [Funnel.Row]
    let hasSkipped: Bool
    let pushes: [Push]
    let hasPushes: Bool
    let verdicts: [Verdict]
    let hasVerdicts: Bool
    let warnings: [String]
    let hasWarnings: Bool
    let outcome: String?

    init(_ json: JSONValue) {
        let running = Replica.runningWords.reduce(0) { $0 + json.count("cards", $1) }
        let starting = json.count("starting")
        var parts = ["\(Figures.count(running)) \(running == 1 ? "card runs" : "cards run")"]
        if starting > 0 { parts.append("\(Figures.count(starting)) would be started") }
        if let members = json.at("members")?.integer { parts.append("it applies to \(Figures.count(members))") }
        reach = parts.joined(separator: ", ") + ". Nothing was sent."
        skipped =
            Funnel(
                steps: (json.at("skipped")?.object?.members ?? []).map {
                    Funnel.Step(name: CardWords.meaning(ofReason: $0.name), count: $0.value.integer ?? 0, tone: .warn)
                }
            ).rows
        pushes = (json.at("pushes")?.objects ?? []).prefix(8).map(Push.init)
        verdicts = (json.at("schemas")?.objects ?? []).prefix(50).map(Verdict.init)
        warnings = (json.at("warnings")?.array ?? []).compactMap(\.string).map { Shown.line($0) }
        outcome = json.at("outcome")?.string == "unchanged" ? "It repeats what was declared." : nil
        hasSkipped = !skipped.isEmpty
        (hasPushes, hasVerdicts, hasWarnings) = (!pushes.isEmpty, !verdicts.isEmpty, !warnings.isEmpty)
    }
}

extension DryRunView.Push {
    fileprivate init(_ json: JSONValue) {
        let language = json.at("language")?.string.map { ", \(Shown.line($0))" } ?? ""
        let event = json.at("event")?.string ?? ""
        let heading = "\(event.prefix(1).uppercased())\(event.dropFirst()) by \(json.at("to")?.string ?? "")"
        title = heading + Self.systems(json) + language
        let (bytes, limit) = (json.count("bytes"), json.count("limit"))
        size = "\(Figures.count(bytes)) of \(Figures.count(limit)) bytes"
        bar = Funnel.bar(bytes, of: limit, bytes * 10 > limit * 9 ? .warn : .good)
        payload = Self.lines(json.at("payload"))
        headers = (json.at("headers")?.object?.members ?? []).map { "\($0.name): \($0.value.string ?? "")" }
            .joined(separator: "\n")
    }

    /// The systems that get a start, because older ones do not know each member of it.
    private static func systems(_ json: JSONValue) -> String {
        guard json.at("event")?.string == LiveActivityEvent.start.rawValue else { return "" }
        let aps = json.at("payload", "aps")
        guard aps?.at("input-push-channel") == nil else { return ", which then follows the channel" }
        return aps?.at("input-push-token") == nil ? ", before iOS 18" : ", iOS 18 and later"
    }

    /// JSON over lines, with each hidden character by its name.
    private static func lines(_ json: JSONValue?) -> String {
        (json?.indentedText ?? "").split(separator: "\n", omittingEmptySubsequences: false)
            .map { Shown.line(String($0), limit: 2_000) }.joined(separator: "\n")
    }
}

extension DryRunView.Verdict {
    fileprivate init(_ json: JSONValue) {
        build = Shown.line(json.at("build")?.string ?? "")
        reason = json.at("reason")?.string.map { Shown.line($0) }
        switch json.at("verdict")?.string {
        case "decodes": (word, tone) = ("decodes it", "good")
        case "mismatch": (word, tone) = ("cannot decode it", "bad")
        default: (word, tone) = ("has no schema", "")
        }
    }
}

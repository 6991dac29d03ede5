import EyotDomain

/// A finding as pages draw it: the sentence, how sure it is, what to do, and the evidence.
struct FindingView {
    let sentence: TimedText
    let sureness: String
    let remedy: String
    let evidence: [TimedText]
    let code: String
    /// `good`, `warn` or `bad`; empty if there is nothing to do although the card is not as declared.
    let tone: String

    init(_ reply: Reply) {
        sentence = TimedText(reply["sentence"].text ?? "")
        code = reply["code"].text ?? ""
        evidence = reply["evidence"].all.compactMap(\.text).map { TimedText($0) }
        sureness =
            switch reply["confidence"].raw.flatMap(Finding.Confidence.init(rawValue:)) {
            case .certain: "Certain."
            case .likely: "Very likely."
            case .possible: "Possible."
            case nil: ""
            }
        remedy = reply["remedy"].text ?? "Nothing to do."
        tone = Self.tone(of: FindingCode(rawValue: code), remedy: reply["remedy"].raw)
    }

    private static func tone(of code: FindingCode?, remedy: String?) -> String {
        guard let remedy else { return "good" }
        if code?.isSevere == true { return "bad" }
        return remedy.hasPrefix("Nothing") ? "" : "warn"
    }
}

import EyotDomain

/// The answer as plain text for a ticket. It has no token, no state and no name of a person beside the one asked for.
struct TicketText {
    /// The newest entries of a story that a ticket gets.
    private static let entries = 15

    let text: String

    init(_ view: WhyView, app: String, at now: Instant) {
        var lines = ["\(view.subject) · \(app) · asked at \(now.rfc3339)"]
        for card in view.cards {
            lines += ["", card.heading] + Self.lines(of: card.finding)
            if !card.versions.isEmpty { lines.append(card.versions) }
            for row in (card.story?.recent ?? []).prefix(Self.entries) { lines.append(Self.line(of: row)) }
        }
        if let start = view.start { lines += ["", "Another card"] + Self.lines(of: start) }
        for phone in view.phones { lines += ["", "Device \(phone.device)"] + Self.lines(of: phone.finding) }
        text = lines.joined(separator: "\n")
    }

    private static func lines(of finding: FindingView) -> [String] {
        ["\(finding.sentence.plain) (\(finding.code))", "\(finding.sureness) \(finding.remedy)"]
            + finding.evidence.map(\.plain)
    }

    private static func line(of row: StoryRow) -> String {
        "\(row.at?.machine ?? "") \(row.what)\(row.details.map { " · \($0)" } ?? "")"
    }
}

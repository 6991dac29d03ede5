import EyotDomain

/// One entry of a story, as pages draw it.
struct StoryRow {
    let at: Moment?
    let tone: String
    let what: String
    /// What else is known of it: reason, id at Apple, operation, key; nil for nothing.
    let details: String?

    init(_ reply: Reply) {
        at = reply["at"].moment
        what = reply["text"].text ?? ""
        tone = Self.tone(of: reply["event"].raw ?? "", because: reply["reason"].raw)
        // The sentence of a declaration has its verb and its operation.
        let isDeclared = reply["event"].raw == EventKind.activityDeclared.rawValue
        let details = [
            isDeclared ? nil : reply["reason"].text, reply["apnsId"].text.map { "apns-id \($0)" },
            isDeclared ? nil : reply["operation"].text.map { "operation \($0)" },
            reply["key"].text.map { "key \($0)" }, reply["requestId"].text.map { "request \($0)" },
        ].compactMap(\.self).joined(separator: " · ")
        self.details = details.isEmpty ? nil : details
    }

    /// `good` for what arrived, `bad` for what failed, `warn` for what a person or a phone ended.
    static func tone(of event: String, because reason: String?) -> String {
        switch event {
        case "push.accepted", "card.shown": return "good"
        default: break
        }
        guard let kind = EventKind(rawValue: event) else { return "" }
        if Fact(kind, reason: reason).isError { return "bad" }
        switch kind {
        case .cardAppeared, .cardReopened, .operationDone, .updateTokenSet, .startTokenSet, .broadcastAccepted:
            return "good"
        case .cardDismissed, .cardEnded, .cardUnlisted, .cardUntracked, .cardWithdrawn, .activityHalted, .appHalted,
            .startCancelled, .startTokenRemoved, .typeHalted:
            return "warn"
        default: return ""
        }
    }
}

/// A story, newest first. Its older part is folded.
struct StoryView {
    private static let open = 30

    let recent: [StoryRow]
    let older: [StoryRow]
    let hasOlder: Bool
    let olderCount: Int
    let isEmpty: Bool

    init(_ reply: Reply) {
        let rows = reply.all.reversed().map { StoryRow($0) }
        (recent, older) = (Array(rows.prefix(Self.open)), Array(rows.dropFirst(Self.open)))
        (hasOlder, olderCount, isEmpty) = (!older.isEmpty, older.count, rows.isEmpty)
    }
}

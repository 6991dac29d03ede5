import EyotDomain

/// A reason why a start would leave phones out, and how many.
struct SkippedView {
    let reason: String
    let meaning: String
    let count: String
    /// The length of the bar, of 100.
    let length: Int

    /// The reasons of a count, most phones first.
    static func all(_ reply: Reply) -> [SkippedView] {
        let rows = reply.members.map { ($0.name, $0.value.number ?? 0) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        let most = max(1, rows.first?.1 ?? 1)
        return rows.map { name, count in
            SkippedView(
                reason: Shown.text(name), meaning: StartFailure(rawValue: name)?.skipped ?? "",
                count: Figures.count(count), length: max(1, count * 100 / most))
        }
    }
}

extension StartFailure {
    /// Why a start leaves a phone out, in a sentence.
    fileprivate var skipped: String {
        switch self {
        case .osTooOld: "The phone has an iOS before 17.2, which cannot be started remotely."
        case .disabled: "The person has turned Live Activities off for the app."
        case .noStartToken: "The phone has sent no start token of the type, or Apple refused it."
        case .alreadyActive: "The phone shows a card of this activity already."
        case .dismissed: "The person has removed a card of this activity."
        case .cardGone: "The card is gone from the phone. The person may have removed it."
        case .schemaMismatch: "The phone's build of the app could not decode the state."
        case .tooManyStarts: "The phone has had as many starts in an hour as the type's profile allows."
        case .startUnknown: "The phone may show the card already: a start left, and nothing was heard of it since."
        case .otherPerson: "The phone has another user now."
        case .refused, .suspected: "Apple has refused the start token."
        case .overtakenByEnd, .replanned, .givenUp, .expiredAtApple, .noCardHeardOf, .unknownAfterCrash:
            "An earlier start came to nothing."
        }
    }
}

import APNSWire
import EyotDomain

/// What the words of cards mean, in sentences for people.
enum CardWords {
    private static let phases = [
        "starting": "The start is planned or on its way.", "notStarted": "The card was not started.",
        "waitingForAllow": "A push started the card, and the person has not tapped Allow.",
        "waitingForToken": "The app started the card, and its token has not come.",
        "followingChannel": "The card follows the broadcast channel.",
        "channelLost": "The card follows a broadcast channel that Apple no longer has.",
        "live": "The card has a token that works.",
        "untracked": "The app no longer reports the card.", "quarantined": "Its token is set aside.",
        "dead": "Its token is dead, so the card is most likely gone.",
        "unlisted": "The phone no longer lists the card. It was most likely removed.",
        "ended": "The card has ended.", "dismissed": "The person removed the card.",
    ]

    static func meaning(ofPhase word: String) -> String { phases[word] ?? "" }

    /// The meaning of a reason of Eyot's or Apple's; empty if it is unknown.
    static func meaning(ofReason name: String) -> String {
        if let removal = Removal(rawValue: name) { return meaning(of: removal) }
        if let failure = StartFailure(rawValue: name) { return meaning(of: failure) }
        guard let reason = APNSReason.allCases.first(where: { $0.name == name }) else { return "" }
        return "Apple: \(reason.meaning)."
    }

    private static func meaning(of removal: Removal) -> String {
        switch removal {
        case .app: "The app ended the card."
        case .activitiesOff: "Live Activities were switched off for the app."
        case .time: "iOS ended the card after eight hours."
        case .appOrSystem: "The app or iOS ended the card."
        case .personOrApp: "The person removed the card, or the app or another sender ended it."
        }
    }

    private static func meaning(of failure: StartFailure) -> String {
        switch failure {
        case .osTooOld: "A remote start needs iOS 17.2."
        case .disabled: "Live Activities are switched off for the app."
        case .noStartToken: "The phone has no start token in use."
        case .alreadyActive: "The phone has a card of the activity."
        case .dismissed: "The person removed a card of this generation."
        case .schemaMismatch: "The build could not decode the state, and such phones were left out."
        case .cardGone: "The phone no longer shows its card, so the person may have removed it."
        case .overtakenByEnd: "The end was declared before the start left."
        case .tooManyStarts: "The phone had as many starts in an hour as the type allows."
        case .refused: "Apple refused the start for good."
        case .suspected: "Apple refused the start token in a way that may be the app's fault."
        case .replanned: "Another start replaced it."
        case .givenUp: "Another start, or a newer generation, replaced it."
        case .startUnknown: "A start left, and its outcome is unknown."
        case .expiredAtApple: "Apple accepted the start, and the phone has been silent since."
        case .noCardHeardOf: "The phone was heard of after the start, without this card."
        case .unknownAfterCrash: "It is unknown whether Apple accepted the start, and the phone has been silent since."
        case .otherPerson: "The start was for the phone's former user."
        }
    }
}

import EyotContract
import EyotDomain

/// A setting that does not hold for cards that follow a channel, and why.
///
/// Apple accepts one payload for all cards of a channel, so no part of a broadcast can differ by phone. All of these
/// sentences are here. Each begins with the member and ends with its code in brackets.
package enum ChannelWarning: Sendable, Hashable {
    /// The code of a warning. Codes are stable, because programs rely on them.
    package enum Code: String, Sendable, CaseIterable {
        case channelGivesNoToken, channelHasOneLanguage, channelIsSlowed, channelLeavesNoCardOut, channelNeedsKey
        case channelSharesSpacing, channelSkipsCanary, channelTakesNoScope, channelWasLost
    }

    case canary
    case inputPushToken
    /// Members of the alert that reach followers in one language.
    case languages([String])
    case leaveOut
    /// How many cards followed a channel that Apple no longer has.
    case lost(cards: Int)
    case missingKey
    case scope
    /// Nothing is broadcast in an environment until this moment.
    case slowed(PushEnvironment, until: Instant)
    /// The seconds between two broadcasts.
    case spacing(Int)

    package var code: Code {
        switch self {
        case .canary: .channelSkipsCanary
        case .inputPushToken: .channelGivesNoToken
        case .languages: .channelHasOneLanguage
        case .leaveOut: .channelLeavesNoCardOut
        case .lost: .channelWasLost
        case .missingKey: .channelNeedsKey
        case .scope: .channelTakesNoScope
        case .slowed: .channelIsSlowed
        case .spacing: .channelSharesSpacing
        }
    }

    /// The sentence and its code.
    package var text: String { "\(sentence) [\(code.rawValue)]" }

    private var sentence: String {
        switch self {
        case .canary:
            "canary skips cards that follow a channel: they get this state when the canary proceeds to all cards."
        case .inputPushToken:
            "aps.input-push-token is left out of starts that follow a channel: their cards get no token."
        case .languages(let members):
            "alert.localizations do not reach cards that follow a channel: Apple accepts one payload for all of "
                + "them. They get the alert's own \(members.joined(separator: ", ")). With loc-key the app has the "
                + "texts."
        case .leaveOut:
            "onSchemaMismatch leaves out no card that follows a channel: the phone gets the broadcast and drops it."
        case .lost(let cards):
            "\(cards) \(cards == 1 ? "card follows" : "cards follow") a channel that Apple no longer has, and "
                + "\(cards == 1 ? "shows" : "show") this only when the app is opened. A phone with a start token gets a "
                + "new card by itself while the activity runs."
        case .missingKey: "channel needs an APNs key of the app. Cards are reached by their tokens until one is stored."
        case .scope:
            "scope does not reach cards that follow a channel, because a broadcast goes to all of them. They keep the "
                + "common state."
        case .slowed(let environment, let end):
            "channel is slowed in \(environment.rawValue), because Apple refuses its broadcasts (TooManyRequests). "
                + "Cards that follow it there get the newest state from \(end.rfc3339) on."
        case .spacing(let seconds):
            "updateSpacingWithoutFrequentPushes of the type does not apply to cards that follow a channel. They "
                + "are updated by updateSpacing (\(seconds) seconds) on all phones."
        }
    }
}

/// The search for parts of a request that do not hold for cards that follow a channel of its activity.
struct ChannelWarnings: UseCase {
    let transaction: Transaction

    /// - Parameters:
    ///   - channels: The channels that the activity has, or that are being created.
    ///   - activity: The activity after the request.
    func callAsFunction(
        _ request: DeclarationRequest, _ leftOut: LeftOut, in activity: Activity, on channels: [Channel]
    ) throws -> [ChannelWarning] {
        guard !channels.isEmpty else { return [] }
        var warnings: [ChannelWarning] = []
        if request.scope != nil { warnings.append(.scope) }
        let members = request.content.alert?.text.membersOfOneLanguage ?? []
        if !members.isEmpty { warnings.append(.languages(members)) }
        // Cards get the first state of an activity by their starts, and a canary does delay those.
        if request.canary != nil, activity.version > 1 { warnings.append(.canary) }
        if request.scope == nil, let cards = leftOut.cards, cards.inScope > 0 { warnings.append(.leaveOut) }
        if request.audience != nil, request.content.asksForToken { warnings.append(.inputPushToken) }
        for channel in channels {
            guard let end = channel.slowedUntil, end > now else { continue }
            warnings.append(.slowed(channel.environment, until: end))
        }
        return try warnings + lost(channels, of: activity) + spacing(request, of: activity)
    }

    private func lost(_ channels: [Channel], of activity: Activity) throws -> [ChannelWarning] {
        guard channels.contains(where: { $0.edition > 1 }) else { return [] }
        let phases = try ledger.details(at: CountKey(app: activity.app, activity: activity.id, .phase))
        let cards = phases["channelLost"] ?? 0
        return cards > 0 ? [.lost(cards: cards)] : []
    }

    /// The warning about spacing. Only the call that asks for the channel gets it.
    private func spacing(_ request: DeclarationRequest, of activity: Activity) throws -> [ChannelWarning] {
        guard request.wantsChannel else { return [] }
        let profile = try ProfileReader(ledger)(of: activity)
        return profile.isSparing ? [.spacing(profile.spacing)] : []
    }
}

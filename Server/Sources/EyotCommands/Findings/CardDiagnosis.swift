import APNSWire
import EyotContract
import EyotDomain

/// The explanation of what one card shows.
struct CardDiagnosis {
    let phone: Diagnose
    let card: Replica
    let activity: Activity

    init(_ phone: Diagnose, _ card: Replica, in activity: Activity) {
        (self.phone, self.card, self.activity) = (phone, card, activity)
    }

    func callAsFunction() throws -> Finding {
        if card.ending == .otherPerson {
            return Finding(.previousUser, "The card was for another user of this phone and was taken away.")
        }
        switch card.phase {
        case .starting: return try starting()
        case .waitingForToken: return try waiting()
        case .live: return try live()
        case .ended: return ended()
        case .dismissed: return dismissed()
        case .dead(let death): return dead(death)
        case .unlisted:
            return Finding(
                .unlisted, "The phone no longer lists the card. The person most likely removed it.", .likely,
                [shown, phone.seen])
        case .untracked:
            return Finding(
                .untracked, "The app stopped following the card, so Eyot cannot push to it.", .certain, [shown])
        case .notStarted(let failure): return try notStarted(failure)
        }
    }

    var shown: String {
        card.acceptedVersion > 0
            ? "Apple accepted version \(card.acceptedVersion) for the card." : "Apple accepted no version for the card."
    }

    private func waiting() throws -> Finding {
        if card.isFollowing { return try following() }
        guard card.startsAt != nil else {
            return Finding(
                .waitingForAllow, "The app started the card, and iOS has given it no token yet.", .likely, [phone.seen])
        }
        let appeared = card.appearedAt.map { ["The card appeared at \($0.rfc3339)."] } ?? []
        if let end = card.expiresAt, end <= phone.now {
            return neverAllowed
        }
        return Finding(
            .waitingForAllow, "The card waits for the person to tap Allow; until then iOS gives it no token.", .likely,
            appeared)
    }

    /// Whether iOS has given a card that Eyot started no token to the end of its time.
    private var isNeverAllowed: Bool { card.startsAt != nil && card.token == nil && !card.isFollowing }

    private var neverAllowed: Finding {
        let appeared = card.appearedAt.map { ["The card appeared at \($0.rfc3339)."] } ?? []
        return Finding(.neverAllowed, "The person never tapped Allow on the card.", .certain, appeared)
    }

    private func ended() -> Finding {
        switch card.removal {
        case .app: return Finding(.endedOnPhone, "The app ended the card, and not Eyot.", .certain, [shown])
        case .activitiesOff: return switchedOff
        case .personOrApp, nil: break
        }
        if card.ending == .replaced {
            return Finding(.replaced, "Another card of the same name took its place on the phone.", .certain, [shown])
        }
        if card.isEnding(in: activity) {
            return Finding(.ended, "The card was ended, as it was declared.", .certain, [shown])
        }
        if let since = phone.device.userSince, card.hasFormerPerson(on: phone.device) {
            return Finding(
                .previousUser, "The card was for another user of this phone, and ended with the change.", .likely,
                ["The phone changed its user at \(since.rfc3339).", shown])
        }
        if let appeared = card.appearedAt, phone.now.seconds(since: appeared) >= Replica.cardLifetime {
            if isNeverAllowed { return neverAllowed }
            return Finding(.overTime, "iOS ended the card after eight hours.", .likely, [shown])
        }
        return Finding(.endedOnPhone, "The app or iOS ended the card, and not Eyot.", .certain, [shown])
    }

    private func dismissed() -> Finding {
        guard card.removal == .personOrApp else {
            return Finding(.dismissed, "The person removed the card.", .certain, [shown])
        }
        return Finding(
            .dismissed,
            "The card ended and left the screen at once: the person removed it, or the app or another sender ended it.",
            .likely, [shown])
    }

    /// The switch in Settings has ended the card, and may have been turned on again since.
    private var switchedOff: Finding {
        phone.device.permissions.activities
            ? Finding(
                .endedOnPhone, "Live Activities were switched off for the app for a while, which ended the card.",
                .certain, [shown, phone.seen])
            : Finding(
                .activitiesOff, "Live Activities are switched off for the app on this phone, which ended the card.",
                .certain, [shown, phone.seen])
    }

    private func dead(_ death: TokenDeath) -> Finding {
        let evidence = ["Apple's reason was \(death.reason.name).", shown]
        return switch death.reason {
        case .badDeviceToken:
            Finding(
                .wrongEnvironment, "Apple knows the card's token in neither environment.", .likely, evidence)
        case .deviceTokenNotForTopic:
            Finding(.wrongTopic, "The card's token belongs to another bundle id.", .certain, evidence)
        default:
            Finding(
                .tokenDead,
                "Apple no longer takes pushes to the card's token, so the card is most likely gone. The person may "
                    + "have removed it while the app did not run.", .likely, evidence + [phone.seen])
        }
    }
}

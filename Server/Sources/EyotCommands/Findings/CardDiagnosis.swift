import APNSWire
import EyotContract
import EyotDomain

/// The explanation of what one card shows.
struct CardDiagnosis {
    let phone: Diagnose
    let card: Replica
    let activity: Activity
    /// The channel that the card follows; nil for none.
    let channel: Channel?

    init(_ phone: Diagnose, _ card: Replica, in activity: Activity) throws {
        (self.phone, self.card, self.activity) = (phone, card, activity)
        let environment = phone.device.environment
        channel =
            card.isFollowing
            ? try phone.ledger.channels(of: activity.id).first { $0.environment == environment } : nil
    }

    func callAsFunction() throws -> Finding {
        var finding = try found()
        if finding.code.isMendedByStart, let obstacle = try obstacle() { finding.evidence.append(obstacle) }
        return finding
    }

    /// What would keep a new start from the phone now, and what to do about it; nil if nothing would.
    private func obstacle() throws -> String? {
        let tokens = try phone.ledger.startToken(of: card.device, type: activity.type ?? "")
        guard let failure = StartCandidate(phone.device, tokens).failure else { return nil }
        let cause = try phone.cause(failure, type: activity.type)
        return "\(Finding.obstacle) \(cause.sentence) \(cause.code.remedy ?? "")"
    }

    private func found() throws -> Finding {
        if card.ending == .otherPerson {
            return formerUsers
        }
        switch card.phase {
        case .starting: return try starting()
        case .waitingForToken: return try waiting()
        case .live: return try live()
        case .ended: return try ended()
        case .dismissed: return try dismissed()
        case .dead(let death): return try dead(death)
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

    /// Eyot ends the card because the phone has another user. An offline phone keeps it meanwhile.
    private var formerUsers: Finding {
        let isGone = card.phase == .dismissed || card.phase == .unlisted || card.removal != nil
        let end = isGone ? "and is gone." : "and Eyot ends it. Until the phone has heard of that, the card stays."
        return Finding(.previousUser, "The card was for another user of this phone, \(end)", .certain, [phone.seen])
    }

    var shown: String {
        guard accepted > 0 else { return "Apple accepted no version for the card." }
        return accepted > card.acceptedVersion
            ? "Apple accepted version \(accepted) for the card's channel."
            : "Apple accepted version \(accepted) for the card."
    }

    /// The newest version that Apple accepted for the card, by its token or its channel.
    var accepted: Version { max(card.acceptedVersion, channel?.accepted ?? 0) }

    /// The moment of the newest push to the card, by its token or its channel, as its second says it; nil for none.
    var pushedAt: Instant? {
        let second = max(card.newestSecond, channel?.broadcastSecond ?? 0)
        return second > 0 ? Instant(second: second) : nil
    }

    private func waiting() throws -> Finding {
        if card.isFollowing { return try following() }
        if card.hasLostChannel { return channelLost }
        guard card.startsAt != nil else {
            return Finding(
                .waitingForAllow, "The app started the card, and iOS has given it no token yet.", .likely, [phone.seen])
        }
        let appeared = card.appearedAt.map { ["The card appeared at \($0.rfc3339)."] } ?? []
        if let end = card.expiresAt, end <= phone.now {
            return neverAllowed
        }
        // A phone that has spoken since would have sent the token.
        let isHeard = card.appearedAt.map { phone.device.seenAt.seconds(since: $0) > Self.tokenPatience } ?? false
        guard isHeard else {
            return Finding(
                .waitingForAllow,
                "The phone has reported the card, and has sent no token for it since. Either the person has not tapped "
                    + "Allow, or the phone is offline.", .possible, appeared + [phone.seen])
        }
        return Finding(
            .waitingForAllow, "The card waits for the person to tap Allow; until then iOS gives it no token.", .likely,
            appeared + [phone.seen])
    }

    /// Seconds within which iOS gives a card its token that needs no Allow. A guess.
    private static let tokenPatience = 60.0

    /// Whether iOS has given a card that Eyot started no token to the end of its time.
    private var isNeverAllowed: Bool { card.startsAt != nil && card.token == nil && card.following == .none }

    private var neverAllowed: Finding {
        let appeared = card.appearedAt.map { ["The card appeared at \($0.rfc3339)."] } ?? []
        return Finding(
            .neverAllowed,
            "No token came for the card as long as it could run. The person has not tapped Allow, or the phone was "
                + "offline.", .likely, appeared + [phone.seen])
    }

    private func ended() throws -> Finding {
        switch card.removal {
        case .app: return Finding(.endedOnPhone, "The app ended the card, and not Eyot.", .certain, [shown])
        case .activitiesOff: return switchedOff
        case .personOrApp, .time, .appOrSystem, nil: break
        }
        if card.ending == .replaced {
            return Finding(.replaced, "Another card of the same name took its place on the phone.", .certain, [shown])
        }
        if card.isEnding(in: activity) { return endedAsDeclared }
        // What ended a card does not depend on the moment of the question.
        let endedAt = try endedAt() ?? phone.now
        if let since = phone.device.userSince, card.hasFormerPerson(on: phone.device),
            abs(endedAt.seconds(since: since)) < Self.change
        {
            return Finding(
                .previousUser, "The card was for another user of this phone, and ended with the change.", .likely,
                ["The phone changed its user at \(since.rfc3339).", shown])
        }
        if let appeared = card.appearedAt, endedAt.seconds(since: appeared) >= Replica.cardLifetime {
            if isNeverAllowed { return neverAllowed }
            return Finding(.overTime, "iOS ended the card after eight hours.", .likely, [shown])
        }
        return Finding(.endedOnPhone, "The app or iOS ended the card, and not Eyot.", .certain, [shown])
    }

    /// Seconds between the end of a card and a change of person within which the one belongs to the other. A guess.
    private static let change = 60.0

    /// When the card ended, as its event tells it; nil if the event is no longer kept.
    private func endedAt(_ kind: EventKind = .cardEnded) throws -> Instant? {
        try phone.newestEvents(about: .device(card.device)).first {
            $0.fact.kind == kind && $0.activity == card.activity && $0.ordinal == card.ordinal
        }?.at
    }

    /// Apple has the end, or the phone has carried it out. Only a word of the phone, or the end of the card's time,
    /// says that it left the screen.
    var endedAsDeclared: Finding {
        let isByPush = accepted >= card.endVersion(in: activity)
        let isOver = card.appearedAt.map { phone.now.seconds(since: $0) >= Replica.cardLifetime } ?? false
        guard isByPush, !isOver, let pushedAt, phone.device.seenAt < pushedAt else {
            return Finding(.ended, "The card was ended, as it was declared.", .likely, [shown, phone.seen])
        }
        return Finding(
            .ending,
            "Apple accepted the end of the card, and the phone has said nothing since. If the phone is offline, the "
                + "card stays on its screen until it is online again.", .likely, [shown, phone.seen])
    }

    private func dismissed() throws -> Finding {
        guard card.removal == .personOrApp else {
            return Finding(.dismissed, "The person removed the card.", .certain, [shown])
        }
        if let appeared = card.appearedAt, let goneAt = try endedAt(.cardDismissed),
            goneAt.seconds(since: appeared) >= Replica.cardLifetime
        {
            return Finding(
                .dismissed,
                "The phone reported the card gone after its eight hours were over. Either iOS ended it, or the person had "
                    + "removed it before.", .likely, [shown])
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

    private func dead(_ death: TokenDeath) throws -> Finding {
        let environment = card.token?.environment ?? phone.device.environment
        return try phone.foreign(death, "the card's token", in: environment)
            ?? Finding(
                .tokenDead,
                "Apple no longer takes pushes to the card's token, so the card is most likely gone. The person may "
                    + "have removed it while the app did not run.", .likely,
                [Diagnose.refused(death), shown, phone.seen])
    }
}

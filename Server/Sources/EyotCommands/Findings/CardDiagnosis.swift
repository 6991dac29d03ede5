import APNSWire
import EyotContract
import EyotDomain

/// The explanation of what one card shows.
struct CardDiagnosis {
    /// Seconds that a phone may take to report what it shows after an answer. A guess.
    private static let patience = 10.0

    private let phone: Diagnose
    private let card: Replica
    private let activity: Activity

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
        case .dismissed: return Finding(.dismissed, "The person removed the card.", .certain, [shown])
        case .dead(let death): return dead(death)
        case .unlisted:
            return Finding(
                .unlisted, "The phone no longer lists the card. The person may have removed it.", .likely,
                [shown, phone.seen])
        case .untracked:
            return Finding(
                .untracked, "The app stopped following the card, so Eyot cannot push to it.", .certain, [shown])
        case .notStarted(let failure): return notStarted(failure)
        }
    }

    private var shown: String {
        card.acceptedVersion > 0
            ? "Apple accepted version \(card.acceptedVersion) for the card." : "Apple accepted no version for the card."
    }

    // MARK: Before the card

    private func starting() throws -> Finding {
        guard let lease = card.lease else { return Finding(.startPlanned, "The start is about to leave.") }
        let environment = try phone.ledger.startToken(of: card.device, type: activity.type ?? "")?.environment
        switch lease.state {
        case .planned:
            if let moment = card.plannedStart, moment > phone.now {
                return Finding(.startPlanned, "The card is started at \(moment.rfc3339).")
            }
            if let blocking = try phone.blocking(in: environment ?? phone.device.environment, activity) {
                return blocking
            }
            return Finding(.startPlanned, "The start is about to leave.")
        case .sent, .accepted:
            let evidence = lease.sentAt.map { ["It was sent at \($0.rfc3339)."] } ?? []
            return Finding(
                .startOnItsWay, "Apple has the start, and the phone has reported no card yet. It may be offline.",
                .likely,
                evidence + [phone.seen])
        case .unknown:
            return Finding(
                .startUnknown, "Apple did not answer the start. It may have arrived, so it is not sent again.",
                .certain,
                [phone.seen])
        }
    }

    private func notStarted(_ failure: StartFailure) -> Finding {
        let reason = ["The start ended as \(failure.rawValue).", phone.seen]
        return switch failure {
        case .expiredAtApple, .unknownAfterCrash:
            Finding(
                .startExpired, "Apple took the start, and no card appeared while Apple could keep it for the phone.",
                .likely, reason)
        case .noCardHeardOf:
            Finding(
                .startDisplaced, "The phone listed its cards after the start, and this one was not among them.",
                .likely,
                reason)
        case .refused, .suspected: Finding(.startRefused, "Apple refused the start.", .certain, reason)
        case .tooManyStarts:
            Finding(.startBudgetSpent, "The phone had as many starts as the type's profile allows.", .certain, reason)
        case .otherPerson: Finding(.previousUser, "The start was for another user of this phone.", .certain, reason)
        case .dismissed: Finding(.dismissed, "The person removed a card of this name.", .certain, reason)
        case .osTooOld: Finding(.osTooOld, "iOS on this phone cannot start cards by push.", .certain, reason)
        case .disabled: Finding(.activitiesOff, "Live Activities are switched off on this phone.", .certain, reason)
        case .noStartToken: Finding(.noStartToken, "The phone had no start token.", .certain, reason)
        case .schemaMismatch: Finding(.undecodable, "The app's build cannot decode the state.", .certain, reason)
        case .alreadyActive, .cardGone, .overtakenByEnd, .replanned, .givenUp, .startUnknown:
            Finding(.startCancelled, "The start was cancelled.", .certain, reason)
        }
    }

    private func waiting() throws -> Finding {
        if card.isFollowing { return try live() }
        guard card.startsAt != nil else {
            return Finding(
                .waitingForAllow, "The app started the card, and iOS has given it no token yet.", .likely, [phone.seen])
        }
        let appeared = card.appearedAt.map { ["The card appeared at \($0.rfc3339)."] } ?? []
        if let end = card.expiresAt, end <= phone.now {
            return Finding(.neverAllowed, "The person never tapped Allow on the card.", .certain, appeared)
        }
        return Finding(
            .waitingForAllow, "The card waits for the person to tap Allow; until then iOS gives it no token.", .likely,
            appeared)
    }

    // MARK: After the card

    private func ended() -> Finding {
        if card.ending == .replaced {
            return Finding(.replaced, "Another card of the same name took its place on the phone.", .certain, [shown])
        }
        if card.isEnding(in: activity) {
            return Finding(.ended, "The card was ended, as it was declared.", .certain, [shown])
        }
        if let appeared = card.appearedAt, phone.now.seconds(since: appeared) >= Replica.cardLifetime {
            return Finding(.overTime, "iOS ended the card after eight hours.", .likely, [shown])
        }
        return Finding(.endedOnPhone, "The app or iOS ended the card, and not Eyot.", .certain, [shown])
    }

    private func dead(_ death: TokenDeath) -> Finding {
        let evidence = ["Apple's reason was \(death.reason.name).", shown]
        return switch death.reason {
        case .badDeviceToken:
            Finding(
                .wrongEnvironment, "Apple knows the card's token in neither environment.", .likely, evidence)
        case .deviceTokenNotForTopic:
            Finding(.wrongTopic, "The card's token belongs to another bundle id.", .certain, evidence)
        default: Finding(.tokenDead, "Apple no longer takes pushes to the card's token.", .certain, evidence)
        }
    }

    // MARK: Pushes

    private func live() throws -> Finding {
        let view = try ReplicaLens(ledger: phone.ledger, activity: activity, now: phone.now).view(of: card)
        if view.isLocallyChanged {
            return Finding(.changedByApp, "The app changed the card by itself, and nothing was declared since.")
        }
        if card.blockedVersion > 0, card.blockedVersion >= card.desired(in: activity) {
            return Finding(
                .pushRefused, "Apple refuses the newest state for this card.", .certain,
                ["Version \(card.blockedVersion): \(card.blockedReason?.name ?? "refused")."])
        }
        if view.behindSince != nil { return try behind(view) }
        if activity.withholds(activity.version, from: card.ordinal) {
            return Finding(.heldByCanary, "The newest state is tried with other cards first.", .certain, [shown])
        }
        if let finding = try undecodable() { return finding }
        if card.desired(in: activity) == 0 {
            return Finding(.nothingDeclared, "The card runs, and nothing is declared for it.")
        }
        return try echoed()
            ?? Finding(
                .upToDate, "The newest state reached Apple for this card, and the phone has reported nothing since.",
                .likely,
                [shown, phone.seen])
    }

    /// What the phone itself has reported since the newest state was sent.
    private func echoed() throws -> Finding? {
        guard let echo = try phone.ledger.echo(of: card.activity, ordinal: card.ordinal) else { return nil }
        let desired = card.desiredState(in: activity)
        let reported = "The phone reported at \(echo.at.rfc3339) what the card shows."
        if echo.version == desired {
            return Finding(.shown, "The card shows the newest state.", .certain, [reported])
        }
        // The answer to the report brings the newest state too, and the phone reports again when it shows that.
        guard echo.at.second >= card.newestSecond, phone.now.seconds(since: echo.at) > Self.patience else { return nil }
        let other = echo.version > 0 ? "version \(echo.version)" : "a state that was not declared"
        return Finding(
            .notShown, "The card shows \(other), although Apple accepted version \(card.acceptedVersion).", .likely,
            [shown, reported])
    }

    private func behind(_ view: ReplicaView) throws -> Finding {
        if let blocking = try phone.blocking(in: card.token?.environment ?? phone.device.environment, activity) {
            return blocking
        }
        let since = view.behindSince.map { ["The card is behind since \($0.rfc3339)."] } ?? []
        if let retry = card.retry, retry.isPausing(at: phone.now) {
            return Finding(
                .slowed, "Apple slowed or refused the last push; the next one leaves later.", .certain,
                ["Attempt \(retry.attempts) failed; the next one is at \(retry.notBefore.rfc3339)."] + since)
        }
        return Finding(.onItsWay, "The newest state is on its way to Apple.", .certain, since)
    }

    /// A state that the build of the app on the phone cannot decode.
    private func undecodable() throws -> Finding? {
        guard let type = activity.type, let newest = try phone.ledger.declaration(card.acceptedVersion, of: activity.id)
        else { return nil }
        var schemas = BuildSchemas(ledger: phone.ledger, app: phone.app.id, type: type)
        let build = phone.device.appVersion
        guard let refusal = try schemas.refusal(of: newest.attributes, newest.content.state, on: [build]) else {
            return nil
        }
        return Finding(
            .undecodable, "Version \(build) of the app cannot decode what the card was sent.", .certain,
            ["\(refusal.mismatch)"])
    }
}

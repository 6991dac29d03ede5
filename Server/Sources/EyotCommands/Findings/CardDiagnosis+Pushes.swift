import APNSWire
import EyotContract
import EyotDomain

/// What became of the pushes to a card that runs.
extension CardDiagnosis {
    /// Seconds that a phone may take to report what it shows after an answer. A guess.
    private static let patience = 10.0
    /// Updates within an hour from which iOS's budget is the likely cause of those that are not shown. Apple publishes
    /// no figure, so this is a guess.
    private static let busyHour = 10
    private static let hour = 3_600.0

    func live() throws -> Finding {
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
        return try arrived()
    }

    /// The card follows a channel, and gets what the channel gets.
    func following() throws -> Finding {
        let environment = phone.device.environment
        guard let channel = try phone.ledger.channels(of: activity.id).first(where: { $0.environment == environment }),
            channel.phase != .lost
        else { return Finding(.channelLost, "The card follows a channel that Apple no longer has.") }
        if channel.accepted < max(activity.common.state, activity.end ?? 0) {
            if let blocking = try phone.blocking(in: environment, activity) { return blocking }
            let reason = channel.reason.map { ["Apple's last reason was \($0.name)."] } ?? []
            return Finding(.onItsWay, "The newest state is on its way to the card's channel.", .certain, reason)
        }
        return try arrived()
    }

    // MARK: On the way

    private func behind(_ view: ReplicaView) throws -> Finding {
        if let blocking = try phone.blocking(in: card.token?.environment ?? phone.device.environment, activity) {
            return blocking
        }
        let since = view.behindSince.map { ["The card is behind since \($0.rfc3339)."] } ?? []
        if let moment = card.clockWait(at: phone.now) {
            return Finding(
                .clockWrong, "The server's clock was ahead at the card's last push, so the next one waits.", .certain,
                ["It waits until \(moment.rfc3339)."] + since)
        }
        if let retry = card.retry, retry.isPausing(at: phone.now) {
            return Finding(
                .slowed, "Apple slowed or refused the last push; the next one leaves later.", .certain,
                ["Attempt \(retry.attempts) failed; the next one is at \(retry.notBefore.rfc3339)."] + since)
        }
        let tries = card.retry.map { ["Attempt \($0.attempts) failed."] } ?? []
        return Finding(.onItsWay, "The newest state is on its way to Apple.", .certain, tries + since)
    }

    // MARK: Arrived at Apple

    private func arrived() throws -> Finding {
        if let finding = try phone.undecodable(card.desiredState(in: activity), of: activity) { return finding }
        if card.desired(in: activity) == 0 {
            return Finding(.nothingDeclared, "The card runs, and nothing is declared for it.")
        }
        if let finding = try echoed() { return finding }
        return Finding(
            .upToDate, "The newest state reached Apple for this card, and the phone has reported nothing since.",
            .likely, [shown, phone.seen] + (try unchecked))
    }

    /// That nothing is known of what the phone can decode.
    private var unchecked: [String] {
        get throws {
            guard let type = activity.type else { return [] }
            var schemas = BuildSchemas(ledger: phone.ledger, app: phone.app.id, type: type)
            guard try schemas.schemas(of: [phone.device.appVersion]).isEmpty else { return [] }
            return [
                "No schema of \(type) is known for version \(phone.device.appVersion) of the app, "
                    + "so a state that it cannot decode would not be noticed."
            ]
        }
    }

    /// What the phone itself has reported since the newest state was sent.
    private func echoed() throws -> Finding? {
        guard let echo = try phone.ledger.echo(of: card.activity, ordinal: card.ordinal) else { return nil }
        let reported = "The phone reported at \(echo.at.rfc3339) what the card shows."
        if echo.version == card.desiredState(in: activity) {
            return Finding(.shown, "The card shows the newest state.", .certain, [reported])
        }
        guard phone.now.seconds(since: Instant.latest(echo.at, acceptedAt) ?? echo.at) > Self.patience else {
            return nil
        }
        // The answer to the report brings the newest state too, and the phone reports again when it shows that.
        guard echo.at.second >= card.newestSecond else { return offline(reported) }
        return try notShown(echo, [shown, reported])
    }

    /// The moment of the card's last push, as its second says it.
    private var acceptedAt: Instant? { card.newestSecond > 0 ? Instant(second: card.newestSecond) : nil }

    /// The phone has reported what the card showed before, and nothing since the newest push.
    private func offline(_ reported: String) -> Finding? {
        guard let acceptedAt, phone.device.seenAt < acceptedAt else { return nil }
        return Finding(
            .offline, "The phone has been silent since the newest state was sent: it may be offline or asleep.",
            .possible, [shown, reported, phone.seen])
    }

    private func notShown(_ echo: Echo, _ evidence: [String]) throws -> Finding {
        let other = echo.version > 0 ? "version \(echo.version)" : "a state that was not declared"
        if !phone.device.permissions.frequentPushes {
            return Finding(
                .frequentUpdatesOff,
                "The card shows \(other): the person has switched off more frequent updates, so iOS drops some.",
                .likely, evidence)
        }
        let recent = try acceptances().count { $0.at >= phone.now - Self.hour }
        if recent >= Self.busyHour {
            return Finding(
                .updateBudgetSpent, "The card shows \(other): iOS has likely spent the app's budget for updates.",
                .likely, evidence + ["Apple accepted \(recent) pushes for the card within an hour."])
        }
        return Finding(
            .notShown, "The card shows \(other), although Apple accepted version \(card.acceptedVersion).", .likely,
            evidence)
    }

    /// What Apple has accepted for the card lately, newest first.
    private func acceptances() throws -> [Acceptances] {
        try phone.ledger.acceptances(
            of: activity.id, onPage: RingPage.number(of: card.ordinal), limit: ReadStory.limit
        ).filter { $0.slots.contains(card.ordinal) }
    }

    // MARK: One version

    /// What became of a declaration that is not the card's newest; nil if the card's own finding says it.
    func fate(of version: Version) throws -> Finding? {
        guard let declaration = try phone.ledger.declaration(version, of: activity.id) else { return nil }
        guard card.isConcerned(by: declaration) else {
            return Finding(.notInvited, "Version \(version) was not for this card.", .certain, [shown])
        }
        guard version < card.desired(in: activity) else { return nil }
        let rows = try acceptances()
        let newer = card.acceptedVersion > version ? "version \(card.acceptedVersion)" : "a newer version"
        guard let row = rows.last(where: { $0.content.version == version }) else {
            return Finding(
                .superseded, "Version \(version) never left for this card, because \(newer) was there before it could.",
                rows.isEmpty ? .likely : .certain, [shown])
        }
        return Finding(
            .superseded, "Apple accepted version \(version) at \(row.at.rfc3339), and \(newer) came after it.",
            .certain, [shown])
    }
}

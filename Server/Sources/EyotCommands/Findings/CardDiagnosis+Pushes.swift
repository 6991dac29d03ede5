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
        if card.blockedVersion > 0, card.blockedVersion == card.desired(in: activity) {
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
        guard let channel, channel.phase != .lost else { return channelLost }
        if channel.accepted < max(activity.common.state, activity.end ?? 0) {
            if let holding = try phone.holding(in: channel.environment, activity) { return holding }
            return failing(channel)
                ?? Finding(.onItsWay, "The newest state is on its way to the card's channel.", .likely)
        }
        if activity.isEnded { return endedAsDeclared }
        return try arrived()
    }

    /// Why the last broadcast did not get through; nil if it did.
    private func failing(_ channel: Channel) -> Finding? {
        guard channel.failures > 1 || channel.slowedUntil.map({ $0 > phone.now }) ?? false else { return nil }
        return .waiting(
            "the broadcast to the card's channel is sent again", because: channel.reason,
            ["Attempt \(channel.failures) failed."])
    }

    var channelLost: Finding {
        let lost = "The card follows a channel that Apple no longer has, so no push "
        return card.acceptedVersion < card.desired(in: activity)
            ? Finding(.channelLost, lost + "reaches it.", .certain, [shown])
            : Finding(
                .channelLost, lost + "brings it the next state. It was given the newest one.", .certain,
                ["Apple accepted version \(card.acceptedVersion) for it, or an answer to its app brought it."])
    }

    // MARK: On the way

    private func behind(_ view: ReplicaView) throws -> Finding {
        if let holding = try phone.holding(in: card.token?.environment ?? phone.device.environment, activity) {
            return holding
        }
        let since = view.behindSince.map { ["The card is behind since \($0.rfc3339)."] } ?? []
        if let moment = card.clockWait(at: phone.now) {
            return Finding(
                .clockWrong, "The server's clock was ahead at the card's last push, so the next one waits.", .certain,
                ["It waits until \(moment.rfc3339)."] + since)
        }
        if let finding = waiting("the newest state is sent again", since) { return finding }
        return Finding(.onItsWay, "The newest state is on its way to Apple.", .likely, since)
    }

    /// Why the last push did not get through; nil if there was none, or it says nothing of the next one.
    ///
    /// - Parameter subject: What waits, as the subject of a sentence.
    func waiting(_ subject: String, _ evidence: [String]) -> Finding? {
        guard let retry = card.retry else { return nil }
        // The first push that a connection loses goes again at once, by the next one.
        let isPausing = retry.isPausing(at: phone.now)
        guard isPausing || retry.attempts > 1 else { return nil }
        let next = isPausing ? "; the next one is at \(retry.notBefore.rfc3339)" : ""
        return .waiting(subject, because: retry.reason, ["Attempt \(retry.attempts) failed\(next)."] + evidence)
    }

    // MARK: Arrived at Apple

    private func arrived() throws -> Finding {
        if let finding = try phone.undecodable(card.desiredState(in: activity), of: activity) { return finding }
        if let finding = leftOut() { return finding }
        if card.desired(in: activity) == 0 {
            return Finding(.nothingDeclared, "The card runs, and nothing is declared for it.")
        }
        let echo = try phone.ledger.echo(of: card.activity, ordinal: card.ordinal)
        let isShown = echo?.version == card.desiredState(in: activity)
        if let echo, !isShown, let finding = try notShown(echo) { return finding }
        if let finding = try grey(echo) { return finding }
        if let echo, isShown {
            return Finding(
                .shown,
                "The card showed version \(echo.version), the newest for it, when the phone reported at "
                    + "\(echo.at.rfc3339).", .likely, [shown, phone.seen])
        }
        return try silent(echo) ?? upToDate()
    }

    private func upToDate() throws -> Finding {
        let isHeard = pushedAt.map { $0 <= phone.device.seenAt } ?? false
        let said =
            isHeard
            ? "the phone has been heard of since, and has not said what the card shows"
            : "the phone has reported nothing since"
        return Finding(
            .upToDate, "The newest state reached Apple for this card, and \(said).", .likely,
            [shown, phone.seen] + (try unchecked))
    }

    /// That the newest state has passed its stale date, so that iOS shows it grey.
    private func grey(_ echo: Echo?) throws -> Finding? {
        let version = card.desiredState(in: activity)
        guard let second = try phone.ledger.declaration(version, of: activity.id)?.content.staleDate,
            second <= phone.now.second
        else { return nil }
        return Finding(
            .stale,
            "The newest state went stale at \(Instant(second: second).rfc3339), so iOS shows the card grey since then.",
            .likely, [shown] + (echo.map { [Self.reported($0)] } ?? []) + [phone.seen])
    }

    /// That the card keeps an earlier state, because a call left its build out of the newest one.
    private func leftOut() -> Finding? {
        let newest = activity.common(for: card.ordinal).state
        let desired = card.desiredState(in: activity)
        guard card.isLeftOut(in: activity), desired < newest else { return nil }
        let kept = desired > 0 ? "keeps version \(desired)" : "keeps what the app has shown"
        return Finding(
            .undecodable,
            "Version \(phone.device.appVersion) of the app cannot decode version \(newest) of the activity.",
            .certain, ["The call left such phones out. The card \(kept).", shown])
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

    private static func reported(_ echo: Echo) -> String {
        "The phone reported at \(echo.at.rfc3339) that the card shows \(words(for: echo))."
    }

    private static func words(for echo: Echo) -> String {
        echo.version > 0 ? "version \(echo.version)" : "a state that was not declared"
    }

    /// The phone has reported another state since the newest push.
    private func notShown(_ echo: Echo) throws -> Finding? {
        // The answer to the report brings the newest state too, and the phone reports again when it shows that.
        guard let pushedAt, echo.at >= pushedAt, phone.now.seconds(since: echo.at) > Self.patience else { return nil }
        let (other, evidence) = ("The card showed \(Self.words(for: echo))", [shown, Self.reported(echo)])
        if let (code, busy) = try dropCause() {
            let cause =
                code == .frequentUpdatesOff
                ? "the person has switched off more frequent updates, so iOS drops some"
                : "iOS has likely spent the app's budget for updates"
            return Finding(code, "\(other): \(cause).", .likely, evidence + busy)
        }
        return Finding(
            .notShown, "\(other) when it reported, although Apple had accepted version \(accepted).", .likely, evidence)
    }

    /// The phone has reported nothing since the newest push. It may be offline, or iOS may have dropped the push: an
    /// app is not woken for either.
    private func silent(_ echo: Echo?) throws -> Finding? {
        guard let pushedAt, phone.device.seenAt < pushedAt, phone.now.seconds(since: pushedAt) > Self.patience else {
            return nil
        }
        let evidence = [shown] + (echo.map { [Self.reported($0)] } ?? []) + [phone.seen]
        let silence = "The phone has said nothing since the newest state was sent."
        if let (code, busy) = try dropCause() {
            let cause =
                code == .frequentUpdatesOff
                ? "The person has switched off more frequent updates, so iOS may have dropped it"
                : "iOS may have dropped it, because the app's budget for updates is spent"
            return Finding(code, "\(silence) \(cause); or the phone is offline.", .possible, evidence + busy)
        }
        guard echo != nil else { return nil }
        return Finding(
            .offline, "\(silence) It may be offline or asleep, or iOS may have dropped the push.", .possible, evidence)
    }

    /// What makes iOS drop updates to the card, with evidence of its own; nil if nothing speaks for it.
    private func dropCause() throws -> (FindingCode, [String])? {
        guard phone.device.permissions.frequentPushes else { return (.frequentUpdatesOff, []) }
        let recent = try pushesOfAnHour()
        guard recent >= Self.busyHour else { return nil }
        return (.updateBudgetSpent, ["Apple accepted \(recent) pushes for the card within an hour."])
    }

    private func pushesOfAnHour() throws -> Int {
        if let channel {
            // Each version of a channel is one broadcast.
            let since = phone.now - Self.hour
            let looksBack = 2 * Self.busyHour
            let newest = max(0, activity.version - looksBack)
            return try phone.ledger.declarations(of: activity.id, after: newest, limit: looksBack)
                .count { $0.acceptedAt >= since && $0.version <= channel.accepted }
        }
        return try acceptances().count { $0.at >= phone.now - Self.hour }
    }

    /// What Apple has accepted for the card lately, newest first.
    private func acceptances() throws -> [Acceptances] {
        try acceptancesOfPage().filter { $0.slots.contains(card.ordinal) }
    }

    private func acceptancesOfPage() throws -> [Acceptances] {
        try phone.ledger.acceptances(
            of: activity.id, onPage: RingPage.number(of: card.ordinal), limit: ReadStory.limit)
    }

    // MARK: One version

    /// What became of a declaration that is not the card's newest; nil if the card's own finding says it.
    func fate(of version: Version) throws -> Finding? {
        guard let declaration = try phone.ledger.declaration(version, of: activity.id) else { return nil }
        let sources = VersionFate.Sources(
            rows: try acceptancesOfPage(), broadcastAt: try phone.ledger.broadcast(of: declaration, in: activity))
        let newer = accepted > version ? "version \(accepted)" : "a newer version"
        switch VersionFate(of: declaration, on: card, in: activity, sources) {
        case .accepted(let acceptance):
            guard version < card.desired(in: activity) else { return nil }
            let moment = acceptance.at.map { " at \($0.rfc3339)" } ?? ""
            return Finding(
                .superseded, "Apple accepted version \(version)\(moment), and \(newer) came after it.", .certain,
                [shown])
        case .superseded:
            return Finding(
                .superseded,
                "Version \(version) never left for this card, because \(newer) was there before it could.", .certain,
                [shown])
        case .notForCard:
            return Finding(.notForCard, "Version \(version) was not for this card.", .certain, [shown])
        case .forgotten:
            return Finding(
                .superseded,
                "What became of version \(version) on this card is no longer kept, and \(newer) came after it.",
                .likely, [shown])
        case .due, .withheld, .leftOut, .refused, .notStarted, .gone: return nil
        }
    }
}

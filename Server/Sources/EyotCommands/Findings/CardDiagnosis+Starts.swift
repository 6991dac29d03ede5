import EyotContract
import EyotDomain

/// Why a start has led to no card.
extension CardDiagnosis {
    /// Cards of one app that iOS shows at once. A figure that developers report; Apple publishes none.
    private static let cardsAtOnce = 5
    /// Seconds without a report after which a start token may be stale. A guess.
    private static let stale = 14 * 86_400.0
    /// Seconds after a start within which a running app reports its card.
    private static let patience = 60.0
    /// Seconds before a start within which a phone that spoke counts as online. A guess.
    private static let online = 60.0
    private static let day = 86_400.0
    /// Starts of a day that are counted one by one.
    private static let startsCounted = 20

    // MARK: Under way

    func starting() throws -> Finding {
        guard let lease = card.lease else { return Finding(.startPlanned, "The start is about to leave.") }
        switch lease.state {
        case .planned: return try planned(lease)
        case .sent, .accepted: return try sent(lease)
        case .unknown:
            return Finding(
                .startUnknown,
                "Eyot got no answer of Apple to the start. It may have arrived, so it is not sent again.",
                .certain, [phone.seen])
        }
    }

    private func planned(_ lease: Lease) throws -> Finding {
        let later = card.plannedStart.flatMap { $0 > phone.now ? $0 : nil }
        if later == nil, let finding = try held(lease) { return finding }
        if let lost = try lostBefore() {
            let moment = later.map { "at \($0.rfc3339)" } ?? "once the phone's other starts are over"
            var finding = try CardDiagnosis(phone, lost, in: activity)()
            finding.evidence.append("The start is repeated \(moment).")
            return finding
        }
        return Finding(
            .startPlanned, later.map { "The card is started at \($0.rfc3339)." } ?? "The start is about to leave.")
    }

    /// What keeps a start from leaving that is due.
    private func held(_ lease: Lease) throws -> Finding? {
        if lease.version != card.scopedState, activity.withholds(lease.version, from: card.ordinal) {
            return Finding(.heldByCanary, "The start is tried with other phones first.")
        }
        let token = try phone.ledger.startToken(of: card.device, type: activity.type ?? "")
        return try phone.holding(in: token?.environment ?? phone.device.environment, activity)
            ?? waiting("the start is sent again", [])
    }

    /// The last start that led to no card, if this one repeats it.
    private func lostBefore() throws -> Replica? {
        guard card.isRestart else { return nil }
        return try phone.ledger.replicas(of: card.device, named: activity.name, in: activity.app)
            .filter { $0.activity == activity.id && $0.ordinal < card.ordinal && $0.hasLostStart }
            .max { $0.ordinal < $1.ordinal }
    }

    private func sent(_ lease: Lease) throws -> Finding {
        let evidence = lease.sentAt.map { ["It was sent at \($0.rfc3339)."] } ?? []
        if let finding = try phone.undecodable(lease.version, of: activity) { return finding }
        if let finding = try crowded(evidence) { return finding }
        if let sentAt = lease.sentAt, try others(after: sentAt).contains(where: { $0.appearedAt != nil }) {
            return displaced(evidence + ["The card of a later start has appeared."])
        }
        if let sentAt = lease.sentAt, phone.device.seenAt > sentAt + Self.patience {
            return Finding(
                .notResumed, "The app has run since the start, and has reported no card.", .possible,
                evidence + [phone.seen])
        }
        if let finding = stale(evidence) { return finding }
        guard lease.state == .accepted else {
            return Finding(
                .startOnItsWay, "The start was sent, and no answer of Apple is known yet.", .certain, evidence)
        }
        return Finding(
            .startOnItsWay, "Apple has the start, and the phone has reported no card yet. It may be offline.",
            .likely, evidence + [phone.seen])
    }

    /// The phone shows as many cards as iOS allows.
    private func crowded(_ evidence: [String]) throws -> Finding? {
        var running = 0
        try phone.ledger.forEachReplica(of: card.device) { one in
            if one.instance != nil, one.phase == .live || one.phase == .waitingForToken { running += 1 }
        }
        guard running >= Self.cardsAtOnce else { return nil }
        return Finding(
            .tooManyCards, "The phone shows \(running) cards of the app, and iOS allows no more.", .likely,
            evidence + [phone.seen])
    }

    private func stale(_ evidence: [String]) -> Finding? {
        guard phone.now.seconds(since: phone.device.seenAt) > Self.stale else { return nil }
        return Finding(
            .startTokenStale, "The phone has not been heard of for weeks, so its start token may be out of use.",
            .possible, evidence + [phone.seen])
    }

    // MARK: Over

    func notStarted(_ failure: StartFailure) throws -> Finding {
        let evidence = ["The start ended as \(failure.rawValue).", phone.seen]
        switch failure {
        case .expiredAtApple, .unknownAfterCrash:
            return try crowded([]) ?? stale([]) ?? perhapsDropped(evidence)
                ?? Finding(
                    .startExpired,
                    "The start left, and the phone has been silent for as long as Apple could keep it. The phone may "
                        + "show the card all the same.", .possible, evidence)
        case .noCardHeardOf: return try unheard(evidence)
        case .refused, .suspected:
            // The person's own choice goes before what Apple says.
            if !phone.device.permissions.activities { return try phone.cause(.disabled, type: activity.type) }
            let token = try phone.ledger.startToken(of: card.device, type: activity.type ?? "")
            if let token, let death = token.death { return try phone.dead(token, by: death) }
            return Finding(
                .startRefused, "Apple refused the start.", .certain, evidence)
        case .otherPerson:
            return Finding(.previousUser, "The start was for another user of this phone.", .certain, evidence)
        case .dismissed:
            return Finding(.dismissed, "The person removed a card of this name.", .certain, evidence)
        case .cardGone:
            return Finding(
                .dismissed, "A card of this name is gone from the phone. The person most likely removed it.", .likely,
                evidence)
        case .schemaMismatch:
            return try phone.undecodable(activity.declaredState, of: activity)
                ?? Finding(
                    .undecodable, "The build of the app could not decode the state, and the start left it out.",
                    .certain, evidence)
        case .osTooOld, .disabled, .noStartToken, .tooManyStarts:
            return try phone.cause(failure, type: activity.type)
        case .overtakenByEnd:
            return Finding(
                .ended, "The activity ended before the start could leave, so Eyot started no card of it on this phone.",
                .certain, evidence)
        case .alreadyActive, .replanned, .givenUp, .startUnknown:
            return Finding(.startCancelled, "The start was cancelled.", .certain, evidence)
        }
    }

    /// The phone spoke shortly before the start and not after it. It was most likely on the network, so that iOS may
    /// have dropped the start; or it shows the card, and its app was not woken. Nothing tells the two apart (R18).
    private func perhapsDropped(_ evidence: [String]) throws -> Finding? {
        let sentAt = card.startsAt ?? card.createdAt
        let silence = sentAt.seconds(since: phone.device.seenAt)
        guard (-Lease.expiration..<Self.online).contains(silence) else { return nil }
        let when =
            silence < 0
            ? "The phone was heard of after the start." : "The phone was heard of \(Int(silence)) s before the start."
        let day = try phone.ledger.remoteStarts(
            of: card.device, after: sentAt - Self.day, before: sentAt, limit: Self.startsCounted + 1)
        let count = day.count > Self.startsCounted ? "more than \(Self.startsCounted)" : "\(day.count)"
        return Finding(
            .startExpired,
            "The start left while the phone was most likely online, and no card was reported. Either iOS has dropped the "
                + "start, as it does in Low Power Mode and when the app's budget of starts is spent, or the phone shows "
                + "the card and has not woken the app.",
            .possible, evidence + [when, "Starts to this phone in the day before: \(count)."])
    }

    /// The phone listed its cards after the start, and this one was not among them.
    private func unheard(_ evidence: [String]) throws -> Finding {
        if let finding = try phone.undecodable(card.lease?.version ?? activity.declaredState, of: activity) {
            return finding
        }
        if let finding = try crowded(evidence) { return finding }
        let others = try others(after: (card.startsAt ?? card.createdAt) - Lease.expiration)
        guard others.isEmpty else {
            return displaced(evidence + ["\(others.count) other starts were under way."])
        }
        return Finding(
            .startDropped, "The phone was heard of after the start, and said nothing of this card.", .likely,
            evidence)
    }

    /// The phone's starts of other activities since a moment, as long as Apple could keep this one.
    private func others(after moment: Instant) throws -> [Replica] {
        let end = (card.startsAt ?? card.createdAt) + Lease.expiration
        return try phone.ledger.remoteStarts(of: card.device, after: moment, before: end, limit: 10)
            .filter { $0.activity != card.activity }
    }

    private func displaced(_ evidence: [String]) -> Finding {
        Finding(
            .startDisplaced, "Another start reached Apple while the phone was away, and Apple keeps only one.",
            .likely, evidence)
    }
}

import EyotContract
import EyotDomain

/// The reach of a declaration: how many devices and cards it reaches, and why not more (R16), as sentences for its
/// caller.
///
/// All of these sentences are here. A vendor's plane translates only the names of members. A declaration for all cards
/// needs two indexed reads. Only a call that reaches less than it names needs more, and each look is bounded.
struct ReachWarnings: UseCase {
    let transaction: Transaction
    let app: App
    /// The members of the call, if they were found before its transaction. Then no audience is searched in it.
    let frozen: FrozenMembers?

    /// Replicas of an activity that are read. Of a larger activity the kept numbers by phase are read instead.
    private static let replicasLookedAt = 8

    /// - Parameters:
    ///   - operation: The operation of the request.
    ///   - activity: The activity after the request.
    func callAsFunction(
        _ request: DeclarationRequest, _ operation: Operation, in activity: Activity
    ) throws -> [String] {
        let key = try keyWarning().map { [$0] } ?? []
        if request.verb != .end, let audience = request.audience {
            return try key + startWarnings(audience, request, operation, in: activity) + takenNames(in: audience)
        }
        if let scope = request.scope { return try key + scopeWarnings(scope, operation) + takenNames(in: scope) }
        let comers = request.verb == .end ? try pendingStartsWarning(of: activity) : nil
        return try key + [cardWarning(request, of: activity), comers].compactMap(\.self)
    }

    // MARK: The app

    /// The warning about a missing key. A pause because of a missing key has a warning of its own, see ``AppPause``.
    private func keyWarning() throws -> String? {
        guard !app.pauses.values.contains(where: { $0.reason == .missingProviderToken }),
            try ledger.apnsKeys(of: app.id).isEmpty
        else { return nil }
        return Finding.apnsKeyMissing(in: nil).warning
    }

    private func takenNames(in audience: Audience) throws -> [String] {
        try NamesInAudience(transaction: transaction, app: app.id).takenFromPhones(in: audience, open: app.openNames)
    }

    // MARK: Starts

    private func startWarnings(
        _ audience: Audience, _ request: DeclarationRequest, _ operation: Operation, in activity: Activity
    ) throws -> [String] {
        let search = NamesInAudience(transaction: transaction, app: app.id)
        // The results for the rest of a long list come later. A type that none of the first devices has is a mistake.
        guard operation.pending == 0 else {
            if isForFurtherCards(request, operation, activity) { return [Self.keptState("Phones that have")] }
            guard operation.starting == 0, operation.skipped[.noStartToken] != nil, let type = activity.type else {
                return []
            }
            return try typeWarning(type, audience, search)
        }
        let matched = operation.skipped.values.reduce(operation.starting, +)
        guard matched > 0 else {
            // Devices may join a live audience later.
            if request.live != nil { return [] }
            return ["The audience matches no device, so no card is started."]
                + (try frozen?.causes.audience ?? search.causes(of: audience))
        }
        var left = operation.skipped
        left[.alreadyActive] = nil
        var warnings: [String] = []
        let count = left.values.reduce(0, +)
        if count > 0 {
            let reasons = left.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
                .map { Self.reason($0.key, $0.value) }
            warnings.append(
                "\(count) of \(Self.devices(matched)) in the audience \(count == 1 ? "gets" : "get") no card: "
                    + reasons.joined(separator: ", ") + ".")
            if left[.noStartToken] == count, operation.starting == 0, let type = activity.type {
                warnings += try typeWarning(type, audience, search)
            }
        }
        if let active = operation.skipped[.alreadyActive], isForFurtherCards(request, operation, activity) {
            warnings.append(Self.keptState("\(active) of \(Self.devices(matched)) \(active == 1 ? "has" : "have")"))
        }
        return warnings + (try search.missing(of: audience))
    }

    /// Whether a start adds cards to an activity that runs, with a state that the running ones do not show.
    private func isForFurtherCards(
        _ request: DeclarationRequest, _ operation: Operation, _ activity: Activity
    ) -> Bool {
        request.verb == .start && operation.outcome == .applied && operation.version > activity.declaredState
    }

    private static func keptState(_ who: String) -> String {
        "\(who) the card already: update the activity, or put it, to show this state on them."
    }

    private func typeWarning(_ type: String, _ audience: Audience, _ search: NamesInAudience) throws -> [String] {
        try search.typeWarning(type, in: frozen.map { .devices($0.sample) } ?? audience)
    }

    private static func devices(_ count: Int) -> String { count == 1 ? "1 device" : "\(count) devices" }

    /// The reason why devices get no card: their number and a verb phrase.
    private static func reason(_ failure: StartFailure, _ count: Int) -> String {
        let has = count == 1 ? "has" : "have"
        return switch failure {
        case .osTooOld: "\(count) \(has) an iOS before 17.2, which does not support remote starts"
        case .disabled: "\(count) \(has) Live Activities switched off"
        case .noStartToken: "\(count) \(has) no start token for the type"
        case .alreadyActive: "\(count) \(has) the card already"
        case .dismissed: "\(count) \(has) dismissed it"
        case .schemaMismatch: "\(count) \(has) a build that cannot decode it"
        case .cardGone: "\(count) no longer \(count == 1 ? "shows" : "show") the card, so a person may have removed it"
        case .startUnknown:
            "\(count) may have the card already, because an earlier start left and nothing was heard of it since"
        case .suspected:
            "\(count) \(has) a card whose token Apple refuses: if the cause is mended, resume the app"
        // The following reasons appear only after a start was accepted.
        case .overtakenByEnd, .tooManyStarts, .refused, .replanned, .givenUp, .expiredAtApple,
            .noCardHeardOf, .unknownAfterCrash, .otherPerson:
            "\(count) cannot be started (\(failure.rawValue))"
        }
    }

    // MARK: Scopes

    private func scopeWarnings(_ scope: Audience, _ operation: Operation) throws -> [String] {
        let search = NamesInAudience(transaction: transaction, app: app.id)
        guard operation.members == 0 else { return try search.missing(of: scope) }
        return ["The scope matches no card of the activity, so no phone shows this."]
            + (try frozen?.causes.scope ?? search.causes(of: scope))
    }

    // MARK: Everyone

    private func cardWarning(_ request: DeclarationRequest, of activity: Activity) throws -> String? {
        // The cards of nameless starts that are on their way will get this name.
        guard !request.isAwaited else { return nil }
        let isEnd = request.verb == .end
        if activity.nextOrdinal == 1 {
            guard try ledger.channels(of: activity.id).isEmpty,
                try ledger.memberLists(of: activity.id, limit: 1).isEmpty
            else { return nil }
            return isEnd
                ? "The activity has no card, so no phone shows the end."
                : "The activity has no card yet. A phone that reports one gets this state."
        }
        // Mostly all of a few run, and nothing is to be said.
        if activity.nextOrdinal <= Self.replicasLookedAt + 1, activity.firstEnd == nil,
            try ledger.allReplicasLive(of: activity.id)
        {
            return nil
        }
        let counts = try phases(of: activity)
        let isReached = counts.contains { !Replica.wordsBeyondReach.contains($0.key) }
        let setAside = Self.setAside(counts["quarantined"] ?? 0)
        guard !counts.isEmpty, !isReached else { return setAside }
        return ([Self.noneReached(counts)] + [setAside].compactMap(\.self)).joined(separator: " ")
    }

    /// The activity's replicas by phase: those of a few, and the kept numbers of many. Empty if a further end reaches
    /// cards that have ended and are in view.
    private func phases(of activity: Activity) throws -> [String: Int] {
        guard activity.nextOrdinal <= Self.replicasLookedAt + 1 else {
            if activity.firstEnd != nil { return [:] }
            return try ledger.details(at: CountKey(app: app.id, activity: activity.id, .phase)).filter { $0.value > 0 }
        }
        let replicas = try ledger.replicas(of: activity.id, after: 0, limit: Self.replicasLookedAt)
        guard !replicas.contains(where: { $0.isAwaitingFurtherEnd(in: activity, at: now) }) else { return [:] }
        return replicas.reduce(into: [:]) { $0[$1.word, default: 0] += 1 }
    }

    private static func setAside(_ count: Int) -> String? {
        guard count > 0 else { return nil }
        return "\(count == 1 ? "1 card does" : "\(count) cards do") not get this, because Apple refused "
            + "\(count == 1 ? "its token" : "their tokens") so nothing is pushed there. "
            + "If the cause is mended, resume the app."
    }

    /// The warning that an end meets starts that may still lead to cards. Each card is ended when its phone reports it
    /// (R5), which takes until its app runs.
    private func pendingStartsWarning(of activity: Activity) throws -> String? {
        guard activity.nextOrdinal > Self.replicasLookedAt + 1 else {
            let left = try ledger.replicas(of: activity.id, after: 0, limit: Self.replicasLookedAt)
                .count { $0.phase == .starting && $0.lease.map { $0.state != .planned } ?? false }
            return left == 0 ? nil : Self.mayAppear(left == 1 ? "1 start has" : "\(left) starts have")
        }
        // The kept numbers do not tell planned starts from those that have left.
        let kept = try ledger.details(at: CountKey(app: app.id, activity: activity.id, .phase))
        guard let starting = kept[Replica.startingWord], starting > 0 else { return nil }
        return Self.mayAppear("Up to \(starting) starts have")
    }

    private static func mayAppear(_ starts: String) -> String {
        "\(starts) left, and the cards may still appear. Such a card is ended when its phone reports it, at the latest "
            + "when the app is opened."
    }

    private static func noneReached(_ counts: [String: Int]) -> String {
        let words = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        return "No card of the activity can be reached: \(words.joined(separator: ", "))."
    }
}

extension Replica {
    /// The words of replicas that no state reaches.
    fileprivate static let wordsBeyondReach: Set = [
        "ended", "dismissed", "dead", "quarantined", "notStarted", "untracked", "unlisted", "channelLost",
    ]
}

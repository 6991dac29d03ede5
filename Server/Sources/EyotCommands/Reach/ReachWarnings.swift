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
        return try key + [cardWarning(request, of: activity)].compactMap(\.self)
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
        // The following reasons appear only after a start was accepted.
        case .overtakenByEnd, .tooManyStarts, .refused, .suspected, .replanned, .givenUp, .expiredAtApple,
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
        guard activity.nextOrdinal <= Self.replicasLookedAt + 1 else { return try phaseWarning(of: activity) }
        let replicas = try ledger.replicas(of: activity.id, after: 0, limit: Self.replicasLookedAt)
        guard !replicas.isEmpty,
            replicas.allSatisfy({ $0.isBeyondReach && !$0.isAwaitingFurtherEnd(in: activity, at: now) })
        else { return nil }
        var counts: [String: Int] = [:]
        for replica in replicas { counts[replica.word, default: 0] += 1 }
        return Self.noneReached(counts)
    }

    /// The warning by the kept numbers of an activity's replicas, however many it has.
    private func phaseWarning(of activity: Activity) throws -> String? {
        // A further end reaches cards that have ended and are in view.
        if activity.firstEnd != nil { return nil }
        let kept = try ledger.details(at: CountKey(app: app.id, activity: activity.id, .phase))
        let counts = kept.filter { $0.value > 0 }
        let isReached = counts.contains { !Replica.wordsBeyondReach.contains($0.key) }
        return counts.isEmpty || isReached ? nil : Self.noneReached(counts)
    }

    private static func noneReached(_ counts: [String: Int]) -> String {
        let words = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
        return "No card of the activity can be reached: \(words.joined(separator: ", "))."
    }
}

extension Replica {
    /// The words of replicas that no state reaches; see ``isBeyondReach``.
    fileprivate static let wordsBeyondReach: Set = [
        "ended", "dismissed", "dead", "quarantined", "notStarted", "untracked", "unlisted",
    ]

    /// Whether its card is known to be out of reach for every state.
    fileprivate var isBeyondReach: Bool { Self.wordsBeyondReach.contains(word) }
}

import EyotDomain

/// R15: each thing is recorded once, with the change it tells of, and never for what was undone. The oracle compares
/// what is recorded with what the ledger holds at the end, and not with the code that records.
extension SimulationOracle {
    private struct Place: Hashable {
        var activity: ActivityID?
        var ordinal: Int?
    }

    func judgeEvents() throws {
        let events = try simulation.ledger.events(of: simulation.app, about: .app, after: 0, limit: .max)
        let places = Dictionary(grouping: events) { Place(activity: $0.activity, ordinal: $0.ordinal) }
        let activities = try simulation.ledger.activities(
            of: simulation.app, after: ActivityID(rawValue: 0), limit: .max)
        for id in activities {
            try judgeDeclarations(of: id, places[Place(activity: id, ordinal: nil)] ?? [])
            for replica in try simulation.ledger.replicas(of: id, after: 0, limit: .max) {
                let facts = (places[Place(activity: id, ordinal: replica.ordinal)] ?? []).map(\.fact)
                judge(facts, of: replica)
            }
            try judgeHalts(of: id, (places[Place(activity: id, ordinal: nil)] ?? []).map(\.fact.kind))
        }
        try judgeOperations(events)
        judgeMoments(of: events)
        try judgePauses(events.map(\.fact))
        try judgeTypeHalts(events.map(\.fact))
        for phone in simulation.phones { try judgeStartTokens(of: phone.device, events) }
    }

    // MARK: Activities and apps

    private func judgeDeclarations(of id: ActivityID, _ events: [Event]) throws {
        let recorded = events.map(\.fact).filter { [.activityDeclared, .activityEnded].contains($0.kind) }
            .map(\.version).sorted()
        let declared = try simulation.ledger.declarations(of: id, after: 0, limit: .max).map(\.version).sorted()
        if recorded != declared { violate("R15: \(id.rawValue) has declared \(declared), recorded are \(recorded)") }
    }

    /// Each accepted request that is concluded has one event, and no other has one.
    private func judgeOperations(_ events: [Event]) throws {
        let recorded = events.compactMap(\.operation).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var next: Int64 = 1
        while let operation = try simulation.ledger.operation(next, in: simulation.app) {
            let isConcluded = operation.completion != nil && operation.outcome.isTaken
            let count = recorded[operation.id, default: 0]
            if count != (isConcluded ? 1 : 0) {
                violate("R15: operation \(operation.id) has \(count) conclusions, and is concluded: \(isConcluded)")
            }
            next += 1
        }
    }

    /// Judges that halts and their ends take turns, and that the last of them is the activity's state. A canary that
    /// fails halts too.
    private func judgeHalts(of id: ActivityID, _ kinds: [EventKind]) throws {
        let turns = kinds.filter { $0 == .activityHalted || $0 == .activityResumed }
        let isHalted = try simulation.ledger.activity(id)?.haltedAt != nil
        if (turns.last == .activityHalted) != isHalted {
            violate("R15: \(id.rawValue) is \(isHalted ? "" : "not ")halted, and last recorded is \(name(turns.last))")
        }
        for (former, next) in zip([.activityResumed] + turns, turns)
        where former == .activityResumed && next == .activityResumed {
            violate("R15: \(id.rawValue) is resumed, and no halt before that is recorded")
        }
    }

    /// Judges that each event has the moment of the transaction that recorded it, or of the phone's request before it.
    private func judgeMoments(of events: [Event]) {
        var moments = simulation.record.moments[...]
        for event in events {
            while let moment = moments.first, moment.event < event.id { moments.removeFirst() }
            guard let moment = moments.first else { continue }
            let delay = moment.at.seconds(since: event.at)
            // A node that stalls applies a request later.
            let isLate = delay > Simulation.requestTime && !simulation.hasNodes
            guard delay < -simulation.skew || isLate else { continue }
            violate("R15: \(event.fact.kind.rawValue) tells of \(event.at.rfc3339), recorded at \(moment.at.rfc3339)")
        }
    }

    private func judgePauses(_ facts: [Fact]) throws {
        let begun = facts.count { $0.kind == .appPaused }
        let over = facts.count { $0.kind == .appResumed && $0.reason != nil }
        let open = try simulation.ledger.app(simulation.app)?.pauses.count ?? 0
        if begun - over != open { violate("R15: \(begun) pauses and \(over) ends are recorded, and \(open) last") }
    }

    private func judgeTypeHalts(_ facts: [Fact]) throws {
        let halted = try simulation.ledger.app(simulation.app)?.haltedTypes ?? [:]
        let turns = facts.filter { [.typeHalted, .typeResumed].contains($0.kind) }
        let types = Set(halted.keys).union(turns.compactMap(\.reason))
        for type in types.sorted() {
            let kinds = turns.filter { $0.reason == type }.map(\.kind)
            let expected = kinds.indices.map { $0 % 2 == 0 ? EventKind.typeHalted : .typeResumed }
            if kinds != expected || (kinds.last == .typeHalted) != (halted[type] != nil) {
                violate("R15: halts of type \(type) are recorded as \(kinds.map(\.rawValue))")
            }
        }
    }

    // MARK: Tokens

    private func judgeStartTokens(of device: DeviceID, _ events: [Event]) throws {
        let kinds = events.filter { $0.device == device }.map(\.fact.kind).filter(\.isOfStartToken)
        let tokens = try simulation.ledger.startTokens(of: device)
        guard tokens.count <= 1 else { return }
        let expected: Set<EventKind?> =
            switch tokens.first?.death {
            case nil where tokens.isEmpty: [nil, .startTokenRemoved]
            case nil: [.startTokenSet, .startTokenReplaced, .startTokenRestored]
            case .some: [.startTokenDead]
            }
        if !expected.contains(kinds.last) {
            violate("R15: the start token of \(device.rawValue) is last recorded as \(name(kinds.last))")
        }
    }

    private func name(_ kind: EventKind?) -> String { kind?.rawValue ?? "nothing" }

    // MARK: Cards

    private func judge(_ facts: [Fact], of replica: Replica) {
        let label = "\(replica.activity.rawValue)/\(replica.ordinal)"
        let appearances = facts.count { $0.kind == .cardAppeared }
        if (appearances > 0) != (replica.appearedAt != nil) {
            violate("R15: \(label) appeared \(appearances) times, and the ledger says \(replica.appearedAt != nil)")
        }
        var last: EventKind?
        var tokens = 0
        for kind in facts.map(\.kind).filter(\.changesPhase) {
            if kind.closes, kind == last { violate("R15: \(label) has \(kind.rawValue) twice") }
            if kind == .updateTokenSet || kind == .updateTokenReplaced { tokens += 1 }
            // A card that is not followed any more has no token, and neither has one that went with a dead token.
            let isGone = kind == .cardEnded || kind == .cardUnlisted
            if kind == .cardUntracked || isGone && last == .updateTokenDead { tokens = 0 }
            last = kind
        }
        if tokens != replica.token?.version ?? 0 {
            violate("R15: \(label) has had \(replica.token?.version ?? 0) tokens, recorded are \(tokens)")
        }
        if let expected = replica.phase.recordedLast, !expected.contains(last) {
            violate("R15: \(label) is \(replica.phase), and last recorded is \(name(last))")
        }
    }
}

extension EventKind {
    fileprivate var isOfStartToken: Bool { rawValue.hasPrefix("token.start.") }

    /// Whether a card, or its start, is over or out of reach with it.
    fileprivate var closes: Bool {
        switch self {
        case .cardDismissed, .cardEnded, .cardUnlisted, .cardUntracked, .updateTokenDead, .startCancelled,
            .startExpired, .startRefused, .startSuspected:
            true
        default: false
        }
    }

    fileprivate var changesPhase: Bool { closes || Self.opening.contains(self) }

    fileprivate static let opening: Set<EventKind> = [
        .cardAppeared, .cardReopened, .startReplanned, .updateTokenRestored, .updateTokenSet, .updateTokenReplaced,
    ]
}

extension Replica.Phase {
    /// The events that may be the last of a card in this phase; nil if any may be. Apple's acceptance of an end is no
    /// event.
    fileprivate var recordedLast: Set<EventKind?>? {
        switch self {
        case .starting, .waitingForToken, .live: Set(EventKind.opening.map { $0 } + [nil])
        case .ended: nil
        case .dismissed: [.cardDismissed]
        case .dead: [.updateTokenDead]
        case .unlisted: [.cardUnlisted]
        case .notStarted: [.startCancelled, .startExpired, .startRefused, .startSuspected]
        case .untracked: [.cardUntracked]
        }
    }
}

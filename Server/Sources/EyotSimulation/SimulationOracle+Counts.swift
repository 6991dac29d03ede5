import EyotDomain

/// R15: each thing is counted once, with the change that it counts. At the end the oracle counts replicas, echoes and
/// events one by one, and compares.
extension SimulationOracle {
    func judgeCounts() throws {
        let events = try simulation.ledger.events(of: simulation.app, about: .app, after: 0, limit: .max)
        let byActivity = Dictionary(grouping: events, by: \.activity)
        let activities = try simulation.ledger.activities(
            of: simulation.app, after: ActivityID(rawValue: 0), limit: .max)
        for id in activities {
            let kept = try KeptNumbers(simulation.ledger.counts(of: id, in: simulation.app, limit: .max))
            let replicas = try simulation.ledger.replicas(of: id, after: 0, limit: .max)
            compare(kept[.phase], Self.counts(replicas.map(\.word)), "phases of \(id.rawValue)")
            compare(kept[.failure], Self.counts(replicas.compactMap(\.failureWord)), "failures of \(id.rawValue)")
            compare(kept[.death], Self.counts(replicas.compactMap(\.deathWord)), "deaths of \(id.rawValue)")
            try judgeEchoes(of: replicas, kept)
            judge(byActivity[id] ?? [], kept, of: id)
            try judgeTally(of: id, kept)
        }
        try judgeApp(events)
    }

    private func judgeEchoes(of replicas: [Replica], _ kept: KeptNumbers) throws {
        let echoes = try replicas.compactMap { try simulation.ledger.echo(of: $0.activity, ordinal: $0.ordinal) }
        guard let activity = replicas.first?.activity.rawValue else { return }
        compare(kept[.showing], Self.counts(echoes.map { String($0.version) }), "versions shown of \(activity)")
        compare(kept.total(.echoes), echoes.count, "reporting cards of \(activity)")
        compare(kept.total(.echoes(by: .os)), echoes.count, "reporting cards by system of \(activity)")
    }

    private func judge(_ events: [Event], _ kept: KeptNumbers, of id: ActivityID) {
        let byKind = Dictionary(grouping: events, by: \.fact.kind)
        for kind in EventKind.allCases {
            let recorded = Self.counts((byKind[kind] ?? []).map { $0.fact.reason ?? "" })
            compare(kept[KeptCounter(kind)], recorded, "\(kind.rawValue) of \(id.rawValue)")
        }
        for kind in [EventKind.cardAppeared, .cardDismissed, .pushRefused] {
            for dimension in CountDimension.allCases {
                compare(
                    kept.total(KeptCounter(kind, by: dimension)), byKind[kind]?.count ?? 0,
                    "\(kind.rawValue) by \(dimension.rawValue) of \(id.rawValue)")
            }
        }
    }

    private func judgeApp(_ events: [Event]) throws {
        let kept = try KeptNumbers(simulation.ledger.counts(of: .wholeApp, in: simulation.app, limit: .max))
        let byKind = Dictionary(grouping: events, by: \.fact.kind)
        for kind in EventKind.allCases {
            compare(kept.total(KeptCounter(kind)), byKind[kind]?.count ?? 0, "\(kind.rawValue) of the app")
        }
    }

    private func judgeTally(of id: ActivityID, _ kept: KeptNumbers) throws {
        guard let tally = try simulation.ledger.activity(id)?.tally else { return }
        let numbers = [
            (KeptCounter.started, tally.started), (.accepted, tally.accepted), (.ended, tally.ended),
            (.superseded, tally.superseded), (.refused, tally.refused),
            (.alertsExpired, tally.alertsExpired), (.alertsSuperseded, tally.alertsSuperseded),
        ]
        for (counter, number) in numbers {
            compare(kept.total(counter), number, "\(counter.name) of \(id.rawValue)")
        }
        let ages = tally.ages.counts.enumerated().filter { $0.element > 0 }.map { (String($0.offset), $0.element) }
        compare(kept[.acceptedAge], Dictionary(uniqueKeysWithValues: ages), "ages of \(id.rawValue)")
    }

    private func compare<Value: Equatable>(_ kept: Value, _ counted: Value, _ what: String) {
        if kept != counted { violate("R15: \(what): kept is \(kept), counted is \(counted)") }
    }

    private static func counts(_ words: [String]) -> [String: Int] {
        words.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
}

extension Replica {
    fileprivate var failureWord: String? {
        if case .notStarted(let failure) = phase { failure.rawValue } else { nil }
    }

    fileprivate var deathWord: String? { if case .dead(let death) = phase { death.reason.name } else { nil } }
}

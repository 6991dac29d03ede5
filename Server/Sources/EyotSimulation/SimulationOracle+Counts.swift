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
            judgeCards(byActivity[id] ?? [], kept, of: id)
            try judgeTally(of: id, kept)
        }
        try judgeApp(events)
        try judgeTypes(of: activities)
        try judgeAdoption()
    }

    /// The numbers of a type are the sums of those of its activities.
    private func judgeTypes(of activities: [ActivityID]) throws {
        let (ledger, app) = (try simulation.ledger, simulation.app)
        let byType = try Dictionary(grouping: activities) { try ledger.activity($0)?.type ?? "" }
        for (type, activities) in byType {
            guard let number = try ledger.typeNumber(of: type, in: app) else { continue }
            let kept = try KeptNumbers(ledger.counts(of: .ofType(number), in: app, limit: .max))
            let all = try activities.map { try KeptNumbers(ledger.counts(of: $0, in: app, limit: .max)) }
            let counters =
                EventKind.recorded.map { KeptCounter($0) } + [
                    .eligible, .skipped, .appearedByPush, .tokens, .echoes, .shown, .started, .accepted, .ended,
                    .refused, .acceptedAge, .shownAge, .alertsGiven, KeptCounter.tokens.by(.build),
                    KeptCounter.started.by(.os), KeptCounter.eligible.by(.language),
                    KeptCounter(.startExpired, by: .environment), .updated, .over, KeptCounter.updated.by(.os),
                    KeptCounter.over.by(.build), KeptCounter.skipped.by(.language),
                ]
            for counter in counters {
                let sum = all.reduce(into: [:]) { sum, next in
                    sum.merge(next[counter]) { $0 + $1 }
                }
                compare(kept[counter], sum, "\(counter.name) of type \(type)")
            }
            for divided in [KeptCounter.started, .eligible, .tokens, .updated, .over] {
                compare(kept.total(divided.by(.os)), kept.total(divided), "\(divided.name) by system of \(type)")
            }
        }
    }

    /// The numbers of devices are those of the devices, and the changes of all days make them up.
    private func judgeAdoption() throws {
        let (ledger, app) = (try simulation.ledger, simulation.app)
        var counted: [CountKey: Int] = [:]
        for device in try ledger.devices(after: DeviceID(rawValue: 0), limit: .max) where device.app == app {
            let hasToken = try ledger.startTokens(of: device.id).contains { $0.death == nil }
            for key in AdoptionPlaces(device, hasStartToken: hasToken).keys { counted[key, default: 0] += 1 }
        }
        let kept = try ledger.counts(of: .ofApp, in: app, limit: .max).filter { $0.key.counter.isLevel }
        var (now, changes): ([CountKey: Int], [CountKey: Int]) = ([:], [:])
        for count in kept {
            var key = count.key
            key.span = .life
            if count.key.span == .life { now[key] = count.value } else { changes[key, default: 0] += count.value }
        }
        compare(now.filter { $0.value != 0 }, counted, "devices")
        compare(changes.filter { $0.value != 0 }, counted, "changes of devices")
    }

    private func judgeEchoes(of replicas: [Replica], _ kept: KeptNumbers) throws {
        guard let activity = replicas.first?.activity.rawValue else { return }
        let heard = try replicas.compactMap { replica in
            try simulation.ledger.echo(of: replica.activity, ordinal: replica.ordinal).map { (replica, $0) }
        }
        let echoes = heard.map(\.1)
        let showing = heard.compactMap { replica, echo in replica.shownWord(echo.version) }
        compare(kept[.showing], Self.counts(showing), "what cards of \(activity) show")
        compare(kept.total(.echoes), echoes.count, "reporting cards of \(activity)")
        let shown = echoes.count(where: \.hasShownDeclared)
        compare(kept.total(.shown), shown, "cards of \(activity) that have shown a declared state")
        compare(kept.total(KeptCounter.echoes.by(.os)), echoes.count, "reporting cards by system of \(activity)")
    }

    private func judge(_ events: [Event], _ kept: KeptNumbers, of id: ActivityID) {
        let byKind = Dictionary(grouping: events, by: \.fact.kind)
        for kind in EventKind.recorded {
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

    /// Cards with an update, cards that ended, and devices of starts, in all and by each property of their phones.
    private func judgeCards(_ events: [Event], _ kept: KeptNumbers, of id: ActivityID) {
        let record = simulation.record
        let updated = record.updated.count { $0.activity == id }
        let accepted = record.ends.filter { $0.key.activity == id }.values.reduce(0, +)
        let over = accepted + events.count { $0.fact.kind == .cardEnded }
        for (counter, number) in [(KeptCounter.updated, updated), (.over, over)] {
            compare(kept.total(counter), number, "\(counter.name) of \(id.rawValue)")
            for dimension in CountDimension.allCases {
                compare(
                    kept.total(counter.by(dimension)), number,
                    "\(counter.name) by \(dimension.rawValue) of \(id.rawValue)")
            }
        }
        // Starts that an end has overtaken are counted without a look at their devices.
        let unknown = kept[.skipped, StartFailure.overtakenByEnd.rawValue]
        for dimension in CountDimension.allCases {
            compare(
                kept.total(.eligible.by(dimension)) + kept.total(.skipped.by(dimension)),
                kept.total(.eligible) + kept.total(.skipped) - unknown,
                "devices of starts by \(dimension.rawValue) of \(id.rawValue)")
        }
    }

    private func judgeApp(_ events: [Event]) throws {
        let kept = try KeptNumbers(simulation.ledger.counts(of: .ofApp, in: simulation.app, limit: .max))
        let byKind = Dictionary(grouping: events, by: \.fact.kind)
        for kind in EventKind.recorded {
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

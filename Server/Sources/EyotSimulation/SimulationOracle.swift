import APNSWire
import EyotContract
import EyotDomain
import PhoneSimulator

/// Asks the phones and the ledger, after everything has come to rest, whether the rules hold. What should be shown it knows
/// from the calls that were accepted, and not from the code that decided it.
struct SimulationOracle {
    let simulation: Simulation

    init(_ simulation: Simulation) { self.simulation = simulation }

    func judge() throws {
        for (index, phone) in simulation.phones.enumerated() {
            for card in phone.state.cards where card.phase.isRunning { try judge(card, on: index) }
            for card in phone.state.cards where card.phase == .ended { try judgeEnded(card, on: index) }
        }
        try judgeChannels()
        for (generation, declared) in simulation.record.everyone { try judgeLedger(generation, declared) }
        try judgeOperations()
        try judgeDeaths()
        try judgeLive()
    }

    /// R10: what is wrong with the key of one environment is nothing to phones of the other.
    func judgePhones(outside broken: PushEnvironment) throws {
        for (index, phone) in simulation.phones.enumerated() where phone.environment != broken {
            let count = simulation.record.violations.count
            for card in phone.state.cards where card.phase.isRunning { try judge(card, on: index) }
            for card in phone.state.cards where card.phase == .ended { try judgeEnded(card, on: index) }
            if simulation.record.violations.count > count {
                violate("R10: phone-\(index + 1) is behind, and the key of \(broken.rawValue) is not its own")
            }
        }
    }

    /// R1: what has come to rest is complete, and says so.
    private func judgeOperations() throws {
        var id: Int64 = 1
        while let operation = try simulation.ledger.operation(id, in: simulation.app) {
            if operation.completion == nil { violate("R1: operation \(id) of \(operation.name) is not complete") }
            id += 1
        }
    }

    func violate(_ words: String) { simulation.record.violate(words) }

    /// R9: what was accepted is there. R14: the newest one counts.
    private func judgeLedger(
        _ generation: SimulationRecord.Generation, _ declared: [SimulationRecord.Declared]
    ) throws {
        guard let activity = try simulation.ledger.newestActivity(named: generation.name, in: simulation.app),
            activity.generation == generation.number
        else { return }
        let state = declared.last { !$0.isEnd && !$0.isDropped }?.version ?? 0
        if activity.everyone != state {
            violate("R9, R14: \(generation.name) stands at \(activity.everyone), declared was \(state)")
        }
        let end = declared.last { $0.isEnd && !$0.isDropped }?.version
        if activity.end != end {
            violate(
                "R9: \(generation.name) ends at \(String(describing: activity.end)), not \(String(describing: end))")
        }
    }

    /// R1: a running card shows the newest state. R5: a card that was ended does not run.
    private func judge(_ card: SimulatedCard, on index: Int) throws {
        let phone = simulation.phones[index]
        guard let replica = try simulation.ledger.replica(ofInstance: card.id, on: phone.device),
            let activity = try simulation.ledger.activity(replica.activity)
        else {
            // Whose app was not opened since may have nobody to speak of a card.
            if !phone.isQuiet { violate("R1: the server does not know a card of phone-\(index + 1)") }
            return
        }
        try judgePlace(of: card, on: index)
        if card.updates.channel != nil, replica.phase == .waitingForToken || phone.isQuiet {
            return try judgeFollower(card, replica, in: activity, on: index)
        }
        // Of what Apple kept for a phone only the last push arrived, and its app has not looked.
        if phone.isQuiet { return }
        switch replica.phase {
        case .dead: return try judgeDeath(of: replica, pauses: nil)
        case .untracked: return
        case .live: break
        case .ended:
            // No server hears that the phone passed its end over, since the budget was spent.
            if simulation.record.spent.contains(card.id) { return }
            return violate("R5: a card runs on phone-\(index + 1) and counts as ended")
        case .waitingForToken, .starting, .notStarted, .dismissed, .unlisted:
            return violate("R1: a card runs on phone-\(index + 1) and is \(replica.phase) to the server")
        }
        let label = "phone-\(index + 1) \(activity.name) \(activity.generation)"
        let concern = try concern(for: replica, in: activity)
        let expected = concern.newest()
        let newest = try simulation.ledger.newestActivity(named: activity.name, in: simulation.app)
        let isRefused = { (one: SimulationRecord.Declared?) in one.map { $0.version == replica.blocked } ?? false }
        if concern.end == nil ? isRefused(expected) : concern.possibleEnds.contains(where: isRefused) { return }
        if newest?.id != activity.id || concern.end != nil || replica.ending != nil {
            return violate("R5: \(label) still runs")
        }
        // An answer may have brought the card up to date; that Apple took a push is asked all the same.
        guard let expected else { return }
        let shown = card.content.state.object?["n"]?.integer
        if replica.accepted == expected.version, shown == expected.state { return }
        // One that was dismissed in between may never have had the name: then it came from the one before that.
        let inherited = try self.concern(for: replica, in: activity, pastDismissed: true).newest()
        if let inherited, replica.accepted == inherited.version, shown == inherited.state { return }
        if replica.accepted != expected.version { violate("R1: \(label) was last pushed \(replica.accepted)") }
        // A card that follows a channel and has a token as well may hear what is for everyone after what is its own.
        if card.updates.channel != nil, shown == concern.common.last(where: { !$0.isEnd })?.state { return }
        if shown != expected.state, !simulation.record.spent.contains(card.id) {
            violate("R1: \(label) shows \(shown ?? -1), not \(expected.state ?? -1)")
        }
    }

    /// R6: what a start led to is evidence of it: it does not count as one that never appeared, unless its card took the place of another
    /// start, of a newer generation.
    private func judgePlace(of card: SimulatedCard, on index: Int) throws {
        guard !simulation.phones[index].isQuiet, let place = simulation.record.startedAs[card.id],
            let replica = try simulation.ledger.replica(place.ordinal, of: place.activity)
        else { return }
        let taken = try simulation.ledger.replica(ofInstance: card.id, on: replica.device)
        if replica.hasLostStart, taken?.startsAt == nil {
            violate("R6: a card runs on phone-\(index + 1), and its start counts as one that never appeared")
        }
    }

    /// R5: the last state stays on an ended card.
    private func judgeEnded(_ card: SimulatedCard, on index: Int) throws {
        let phone = simulation.phones[index]
        guard let replica = try simulation.ledger.replica(ofInstance: card.id, on: phone.device),
            let activity = try simulation.ledger.activity(replica.activity), replica.phase == .ended,
            replica.ending != .replaced, replica.blocked == 0, !phone.isQuiet
        else { return }
        // What iOS ended after eight hours was not ended by us.
        let lifetime = card.endedAt?.timeIntervalSince(card.startedAt) ?? 0
        guard lifetime < Double(APNSLimits.activeLifetime) else { return }
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        // It may have had its end from one that was tried out, with what was tried out before.
        guard simulation.record.everyone[generation]?.contains(where: \.isDropped) != true else { return }
        let concern = try concern(for: replica, in: activity)
        let shown = card.content.state.object?["n"]?.integer
        if card.updates.channel != nil {
            // It was ended by a broadcast, which is for everyone, or by an answer. Of one that followed another generation's
            // channel nobody can say.
            guard simulation.record.follows[card.id] == .init(name: activity.name, number: activity.generation) else {
                return
            }
            // Where it has a token as well, an end by the one way is no newer than what the other brought in the same second.
            if replica.token != nil, concern.all.contains(where: { $0.state == shown }) { return }
            // An end of the second in which an app starts a card is no newer than the card, and nobody knew of it yet.
            if card.origin == .local, lifetime < 2 { return }
            let common = Concern(common: concern.common, own: [])
            let states = common.possibleEnds.flatMap(common.lastStates)
            if states.contains(shown) { return }
            // Where nothing was declared for everyone the broadcast leaves on it what came with its start or an answer.
            if states.contains(nil), concern.own.contains(where: { $0.state == shown }) { return }
        }
        // What was tried out had not come to it, and nothing else had been declared: it shows what its app had put on it.
        if card.origin == .local, concern.possibleEnds.contains(where: { concern.lastStates(with: $0).contains(nil) }) {
            return
        }
        guard let end = concern.end, let least = concern.newest(upTo: end.version) else { return }
        // Something newer may have gone out with the end.
        let isLater = concern.all.contains { $0.version > end.version && $0.state == shown }
        // A card that has only begun may have had an answer of that very second, which is newer to the phone than the end.
        if simulation.record.hidden.contains(card.id), shown == least.state { return }
        if !isLater, !concern.possibleEnds.contains(where: { concern.lastStates(with: $0).contains(shown) }) {
            violate("R5: phone-\(index + 1) \(activity.name) ended with \(shown ?? -1), not \(least.state ?? -1)")
        }
    }

    /// What was declared for a replica, by what the backend was told, oldest first.
    struct Concern {
        var common: [SimulationRecord.Declared]
        var own: [SimulationRecord.Declared]

        var all: [SimulationRecord.Declared] { common + own }
        /// The end that came first.
        var end: SimulationRecord.Declared? { all.filter(\.isEnd).min { $0.version < $1.version } }

        /// The ends that it may have had. What is tried out may not have come to it before a later end did, and a phone
        /// may pass over an end that comes after another one.
        var possibleEnds: [SimulationRecord.Declared] { all.filter(\.isEnd).sorted { $0.version < $1.version } }

        /// What it may show after an end: each of those that were tried out may not have come to it yet, nor then what was
        /// tried out after that.
        func lastStates(with end: SimulationRecord.Declared) -> [Int?] {
            if let state = end.state { return [isLater(than: end) ?? state] }
            let withheld = common.filter(\.isTriedOut).map(\.version)
            return ([Int.max] + withheld).map { oldest in
                let came = common.filter { !$0.isTriedOut || $0.version < oldest }
                return Concern(common: came, own: own).newest(upTo: end.version)?.state
            }
        }

        /// The state that stays after an end of an earlier moment (R14).
        private func isLater(than end: SimulationRecord.Declared) -> Int? {
            guard let asOf = end.asOf, let newest = newest(upTo: end.version), let theirs = newest.asOf, asOf < theirs
            else { return nil }
            return newest.state
        }

        /// The newest state. Of two that say when they were true it is the later truth (R14), else the later call.
        func newest(upTo version: Int = .max) -> SimulationRecord.Declared? {
            let newestCommon = common.last { !$0.isEnd && $0.version <= version }
            let candidates = [newestCommon, newestOwn(upTo: version)].compactMap(\.self)
            guard candidates.count == 2 else { return candidates.first }
            if let first = candidates[0].asOf, let second = candidates[1].asOf, first != second {
                return candidates[first > second ? 0 : 1]
            }
            return candidates.max { $0.version < $1.version }
        }

        /// Who waited on a list may be told something after what was declared later: of two the later truth stands there, too.
        private func newestOwn(upTo version: Int) -> SimulationRecord.Declared? {
            own.filter { !$0.isEnd && $0.version <= version }.reduce(nil) { former, next in
                guard let known = former?.asOf, let asOf = next.asOf, asOf < known else { return next }
                return former
            }
        }

        /// Whether what was shown before is out of date with this one.
        func overtakes(_ declared: SimulationRecord.Declared) -> Bool {
            declared.isEnd || newest(upTo: declared.version)?.version == declared.version
        }
    }

    /// - Parameter isPast: whether also those that were replaced before one that was dismissed leave what concerned
    ///   them.
    func concern(
        for replica: Replica, in activity: Activity, pastDismissed isPast: Bool = false
    ) throws -> Concern {
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        let scoped = simulation.record.scoped[generation] ?? [:]
        var own = scoped[replica.ordinal] ?? []
        for former in try replaced(by: replica, in: activity, isPast) {
            let known = Set(own.map(\.version))
            own += (scoped[former.ordinal] ?? []).filter { !$0.isEnd && !known.contains($0.version) }
        }
        for lost in try lostStarts(before: replica, in: activity) {
            let known = Set(own.map(\.version))
            own += (scoped[lost.ordinal] ?? []).filter { !known.contains($0.version) }
        }
        own.sort { $0.version < $1.version }
        let common = (simulation.record.everyone[generation] ?? []).filter {
            !$0.isDropped && !activity.withholds($0.version, from: replica.ordinal)
        }
        return Concern(common: common, own: own)
    }

    /// The places of starts that led to nothing, for which this one was kept.
    private func lostStarts(before replica: Replica, in activity: Activity) throws -> [Replica] {
        let places = try simulation.ledger.replicas(of: replica.device, named: activity.name, in: simulation.app)
            .filter { $0.activity == activity.id && $0.startsAt != nil }
        var chain: [Replica] = []
        var last = replica
        while last.isRestart, let former = places.last(where: { $0.ordinal < last.ordinal }) {
            chain.append(former)
            last = former
        }
        return chain
    }

    /// Cards whose name a card took over, one from the other, the last one first: it has their states, too, and not their ends.
    /// One that was over when the next one came leaves it nothing, and neither do those before, unless it was dismissed without ever having
    /// had the name, which nobody has kept.
    private func replaced(by replica: Replica, in activity: Activity, _ isPast: Bool) throws -> [Replica] {
        let place = { (one: Replica) in (one.appearedAt ?? one.createdAt, one.ordinal) }
        let before = try simulation.ledger.replicas(of: replica.device, named: activity.name, in: simulation.app)
            .filter { $0.activity == activity.id && $0.appearedAt != nil && place($0) < place(replica) }
            .sorted { place($0) > place($1) }
        let heirs = isPast ? before.filter { $0.phase != .dismissed } : before
        return Array(heirs.prefix { $0.ending == .replaced })
    }
}

import APNSWire
import EyotContract
import EyotDomain
import PhoneSimulator

/// The oracle. It checks the rules on phones and ledger after everything has come to rest. It derives the expected
/// states from the accepted calls, and not from the code that decided them.
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
        try judgeEvents()
        try judgeCounts()
        try judgeShown()
        try judgeStories()
    }

    /// R10: a broken key of one environment does not affect phones of the other.
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

    /// R1: an operation that has come to rest is complete.
    private func judgeOperations() throws {
        var id: Int64 = 1
        while let operation = try simulation.ledger.operation(id, in: simulation.app) {
            if operation.completion == nil { violate("R1: operation \(id) of \(operation.name) is not complete") }
            id += 1
        }
    }

    func violate(_ words: String) { simulation.record.violate(words) }

    /// R9: accepted declarations are stored. R14: the newest one counts.
    private func judgeLedger(
        _ generation: SimulationRecord.Generation, _ declared: [SimulationRecord.Declared]
    ) throws {
        guard let activity = try simulation.ledger.newestActivity(named: generation.name, in: simulation.app),
            activity.generation == generation.number
        else { return }
        let state = declared.last { !$0.isEnd && !$0.isDropped }?.version ?? 0
        if activity.common.state != state {
            violate("R9, R14: \(generation.name) stands at \(activity.common.state), declared was \(state)")
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
            // A phone without a launch of its app may have reported nothing about a card.
            if !phone.isQuiet { violate("R1: the server does not know a card of phone-\(index + 1)") }
            return
        }
        try judgePlace(of: card, on: index)
        if card.updates.channel != nil, replica.phase == .waitingForToken || phone.isQuiet {
            return try judgeFollower(card, replica, in: activity, on: index)
        }
        // Only the last push that Apple kept arrived, and the app has not looked.
        if phone.isQuiet { return }
        switch replica.phase {
        case .dead: return try judgeDeath(of: replica, pauses: nil)
        case .untracked: return
        case .live: break
        case .ended:
            // The phone ignored the end because the budget was spent. No server learns of that.
            if simulation.record.spent.contains(card.id) { return }
            return violate("R5: a card runs on phone-\(index + 1) and counts as ended")
        case .waitingForToken, .starting, .notStarted, .dismissed, .unlisted:
            return violate("R1: a card runs on phone-\(index + 1) and is \(replica.phase) to the server")
        }
        let label = "phone-\(index + 1) \(activity.name) \(activity.generation)"
        let concern = try concern(for: replica, in: activity)
        let expected = concern.newest()
        let newest = try simulation.ledger.newestActivity(named: activity.name, in: simulation.app)
        let isRefused = { (one: SimulationRecord.Declared?) in one.map { $0.version == replica.blockedVersion } ?? false
        }
        if concern.end == nil ? isRefused(expected) : concern.possibleEnds.contains(where: isRefused) { return }
        if newest?.id != activity.id || concern.end != nil || replica.ending != nil {
            return violate("R5: \(label) still runs")
        }
        // An answer may have brought the card up to date. Apple's acceptance of a push is required all the same.
        guard let expected else { return }
        let shown = card.content.state.object?["n"]?.integer
        if replica.acceptedVersion == expected.version, shown == expected.state { return }
        // A card dismissed in between may never have had the name. The state then came from the one before it.
        let inherited = try self.concern(for: replica, in: activity, pastDismissed: true).newest()
        if let inherited, replica.acceptedVersion == inherited.version, shown == inherited.state { return }
        if replica.acceptedVersion != expected.version {
            violate("R1: \(label) was last pushed \(replica.acceptedVersion)")
        }
        // A card with a channel and a token may get a common state after its own.
        if card.updates.channel != nil, shown == concern.common.last(where: { !$0.isEnd })?.state { return }
        if shown != expected.state, !simulation.record.spent.contains(card.id) {
            violate("R1: \(label) shows \(shown ?? -1), not \(expected.state ?? -1)")
        }
    }

    /// R6: a card is evidence of its start, which must not count as lost. The exception is a card that took the place
    /// of another start, of a newer generation.
    private func judgePlace(of card: SimulatedCard, on index: Int) throws {
        guard !simulation.phones[index].isQuiet, let place = simulation.record.startedAs[card.id],
            let replica = try simulation.ledger.replica(place.ordinal, of: place.activity)
        else { return }
        let taken = try simulation.ledger.replica(ofInstance: card.id, on: replica.device)
        // Until the tenures after a takeover begin, no node knows that a start of an older generation may have left.
        if simulation.hasNodes, simulation.wentBackAt != nil, taken?.activity != replica.activity { return }
        if replica.hasLostStart, taken?.startsAt == nil {
            violate("R6: a card runs on phone-\(index + 1), and its start counts as one that never appeared")
        }
    }

    /// R5: the last state stays on an ended card.
    private func judgeEnded(_ card: SimulatedCard, on index: Int) throws {
        let phone = simulation.phones[index]
        guard let replica = try simulation.ledger.replica(ofInstance: card.id, on: phone.device),
            let activity = try simulation.ledger.activity(replica.activity), replica.phase == .ended,
            replica.ending != .replaced, replica.blockedVersion == 0, !phone.isQuiet
        else { return }
        // iOS ended the card after eight hours, not Eyot.
        let lifetime = card.endedAt?.timeIntervalSince(card.startedAt) ?? 0
        guard lifetime < Double(APNSLimits.activeLifetime) else { return }
        // The end, and what it left on the card, may be of a former history.
        if let back = simulation.wentBackAt, let ended = card.endedAt, ended <= back.date { return }
        if let first = simulation.firstTenureAt, let moment = card.timestamp, moment < first.date { return }
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        // A canary may have ended it, with the state of an earlier canary.
        guard simulation.record.everyone[generation]?.contains(where: \.isDropped) != true else { return }
        let concern = try concern(for: replica, in: activity)
        let shown = card.content.state.object?["n"]?.integer
        if card.updates.channel != nil {
            // It was ended by a broadcast, which is for everyone, or by an answer. A card on another generation's
            // channel cannot be judged.
            guard simulation.record.follows[card.id] == .init(name: activity.name, number: activity.generation) else {
                return
            }
            // If it has a token too, an end by one way is no newer than a push of the same second by the other.
            if replica.token != nil, concern.all.contains(where: { $0.state == shown }) { return }
            // An end in the second in which an app starts a card is no newer than the card, which was still unknown.
            if card.origin == .local, lifetime < 2 { return }
            let common = Concern(common: concern.common, own: [])
            let states = common.possibleEnds.flatMap(common.lastStates)
            if states.contains(shown) { return }
            // Without a common state the broadcast leaves the state from the start or an answer.
            if states.contains(nil), concern.own.contains(where: { $0.state == shown }) { return }
        }
        // The canary had not reached it, and nothing else was declared. It shows the app's own state.
        if card.origin == .local, concern.possibleEnds.contains(where: { concern.lastStates(with: $0).contains(nil) }) {
            return
        }
        guard let end = concern.end, let least = concern.newest(upTo: end.version) else { return }
        // A newer state may have left with the end.
        let isLater = concern.all.contains { $0.version > end.version && $0.state == shown }
        // A card that has just begun may have an answer of the same second, which the phone considers newer than the
        // end.
        if simulation.record.hidden.contains(card.id), shown == least.state { return }
        if !isLater, !concern.possibleEnds.contains(where: { concern.lastStates(with: $0).contains(shown) }) {
            violate("R5: phone-\(index + 1) \(activity.name) ended with \(shown ?? -1), not \(least.state ?? -1)")
        }
    }

    /// The declarations for a replica, from the answers to the backend, oldest first.
    struct Concern {
        var common: [SimulationRecord.Declared]
        var own: [SimulationRecord.Declared]

        var all: [SimulationRecord.Declared] { common + own }
        /// The end that came first.
        var end: SimulationRecord.Declared? { all.filter(\.isEnd).min { $0.version < $1.version } }

        /// The ends that may have reached the card. A canary's end may not have come before a later one, and a phone
        /// may ignore an end that follows another.
        var possibleEnds: [SimulationRecord.Declared] { all.filter(\.isEnd).sorted { $0.version < $1.version } }

        /// Returns the states that the card may show after an end. Each canary may not have reached it yet, and then no
        /// later canary either.
        func lastStates(with end: SimulationRecord.Declared) -> [Int?] {
            let withheld = common.filter(\.isTriedOut).map(\.version)
            return ([Int.max] + withheld).map { oldest in
                let came = common.filter { !$0.isTriedOut || $0.version < oldest }
                return Concern(common: came, own: own).lastState(with: end)
            }
        }

        /// Returns the state that the card shows after an end, if everything has come.
        private func lastState(with end: SimulationRecord.Declared) -> Int? {
            guard let state = end.state else { return newest(upTo: end.version)?.state }
            return isLater(than: end) ?? state
        }

        /// Returns the state that stays after an end of an earlier moment (R14).
        private func isLater(than end: SimulationRecord.Declared) -> Int? {
            guard let asOf = end.asOf, let newest = newest(upTo: end.version), let theirs = newest.asOf, asOf < theirs
            else { return nil }
            return newest.state
        }

        /// Returns the newest state. Of two states with `asOf`, the later truth wins (R14). Otherwise the later call
        /// wins.
        func newest(upTo version: Int = .max) -> SimulationRecord.Declared? {
            let newestCommon = common.last { !$0.isEnd && $0.version <= version }
            let candidates = [newestCommon, newestOwn(upTo: version)].compactMap(\.self)
            guard candidates.count == 2 else { return candidates.first }
            if let first = candidates[0].asOf, let second = candidates[1].asOf, first != second {
                return candidates[first > second ? 0 : 1]
            }
            return candidates.max { $0.version < $1.version }
        }

        /// Returns the newest state of its own. A pending member may be processed after a later declaration; of the two
        /// the later truth wins there too.
        private func newestOwn(upTo version: Int) -> SimulationRecord.Declared? {
            own.filter { !$0.isEnd && $0.version <= version }.reduce(nil) { former, next in
                guard let known = former?.asOf, let asOf = next.asOf, asOf < known else { return next }
                return former
            }
        }

        /// Whether a declaration makes the content before it outdated.
        func overtakes(_ declared: SimulationRecord.Declared) -> Bool {
            declared.isEnd || newest(upTo: declared.version)?.version == declared.version
        }
    }

    /// Returns the declarations for a replica.
    ///
    /// - Parameter isPast: whether cards superseded before a dismissed one pass their declarations on too.
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

    /// Returns the places of lost starts that this place continues.
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

    /// Returns the cards that this card superseded, one after the other, the last one first. It inherits their states
    /// and not their ends.
    ///
    /// A card that was over when the next one came passes nothing on, and neither do those before it. The exception is
    /// a card dismissed without ever having had the name.
    private func replaced(by replica: Replica, in activity: Activity, _ isPast: Bool) throws -> [Replica] {
        let before = try simulation.ledger.replicas(of: replica.device, named: activity.name, in: simulation.app)
            .filter { $0.activity == activity.id && $0.appearedAt != nil && replica.tookName(after: $0) }
            .sorted { $0.tookName(after: $1) }
        let heirs = isPast ? before.filter { $0.phase != .dismissed } : before
        return Array(heirs.prefix { $0.ending == .replaced })
    }
}

import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import PhoneSimulator

/// Engine, ledger, sender, Apple and phones on one clock, in an order that a seed decides.
///
/// One list holds everything that is under way: effects that are not performed, answers that have not arrived, requests
/// on their way. The seed decides which item happens next. So verdicts overtake hints, registrations overtake verdicts,
/// and the server dies between any two of them. At the end all trouble stops and everything comes to rest. Then
/// ``SimulationOracle`` checks the rules on phones and ledger.
package final class Simulation {
    static let type = "MatchAttributes"
    static let bundleID = "org.example.match"
    private static let epoch = Instant(second: 1_700_000_000)
    /// Seconds within which a page has left and has its answers or none: the sender's own limit.
    static let pageTime = Double(NodeLease.longestPage)
    /// Seconds after which a request that has not reached the server is lost.
    static let requestTime = 60.0

    /// An item that will happen at some moment.
    enum Pending {
        case input(EngineCore.Input)
        case effect(EngineCore.Effect)
        case flight(SimulatedFlight)
        /// A report of a page's known verdicts to the engine. The page waits for it, because later reports follow it.
        case part(SimulatedFlight, PageVerdicts)
        case request(phone: Int, DeviceChangeBatch, sentAt: Instant)
        case answer(phone: Int, SimulatedAnswer?)
        /// A report is applied, or appended to the log with others.
        case apply(SimulatedReport)
        case gather
        case group([SimulatedReport])
        case append([SimulatedReport], [AnswerArrivals.Answered?])
        /// Tokens in the log are merged.
        case merge
        case merging(ArraySlice<[Int64]>, ArraySlice<[Int64]>)
        /// The next members of a list are processed.
        case tell
        /// New members of live audiences are looked at.
        case live
        case liveLook(AdmitLiveMembers.Look)
        /// The channels' reconciler looks at the store, asks Apple, and records Apple's answers.
        case look
        case ask(ChannelTask)
        case told(ChannelTask, ChannelOutcome)
        /// An app asks for the channel of a card, and gets an answer.
        case question(phone: Int, name: String)
        case advice(phone: Int, name: String, APNSChannelID?, SimulationRecord.Generation?)
        /// A node asks for the lease, or extends its own.
        case enter
        case renew
    }

    let plan: SimulationPlan
    let fault: PlantedFault?
    /// The limits that the engine is checked against.
    let limits: EngineCore.Limits
    let store: any SimulationStore
    /// The ledger of the open transaction.
    var transaction: (any Ledger)?
    let app: AppID
    var random: SeededGenerator
    /// The randomness of troubles that were added later. Drawing from it leaves everything else unchanged.
    var further: SeededGenerator
    /// The randomness of the moments at which a finding is judged.
    private var moments: SeededGenerator
    /// The last call with an idempotency key.
    var lastCall: (DeclarationRequest, Idempotency)?
    var callsMade = 0
    let nodes: [SimulatedNode]
    /// The index of the node on which something happens.
    var place = 0
    var appleChannels = SimulatedChannels()
    var phones: [SimulationPhone] = []
    var tokens: [PushToken: SimulatedToken] = [:]
    var record = SimulationRecord()
    /// Events of the last transaction, for the fault `eventsOfUndone`.
    var undoneEvents: [Event] = []
    /// The true time, which phones and Apple have.
    var time = Simulation.epoch
    /// Whether all trouble is over, except that of a key.
    var isPeace = false
    /// The environment in which Apple refuses the app's keys; nil for none.
    var brokenKey: PushEnvironment?
    var keysBroken = 0
    var nextState = 1
    /// The number of the database's history (R17).
    var history = 0
    /// When the database last went back; nil if it never did.
    var wentBackAt: Instant?
    /// The record when a copy of the database was made; nil if there is none.
    var keptRecord: SimulationRecord?
    /// The storm of declarations that come faster than a lap; nil for none.
    var storm: SimulatedStorm?
    /// The version of each activity at its last look, for a planted fault.
    var seenVersions: [ActivityID: Int] = [:]

    /// Makes a simulation.
    ///
    /// - Parameter store: an empty store. An app is made in it.
    package init(_ plan: SimulationPlan, store: any SimulationStore, planting fault: PlantedFault? = nil) throws {
        self.plan = plan
        self.fault = fault
        self.store = store
        random = SeededGenerator(seed: plan.seed, name: "simulation")
        further = SeededGenerator(seed: plan.seed, name: "further")
        moments = SeededGenerator(seed: plan.seed, name: "moments")
        limits = Self.limits(of: plan)
        nodes = (1...plan.nodes).map { number in
            SimulatedNode(
                number, gate: RegistrationGate(limits: Self.registrationLimits(of: plan)))
        }
        app = try store.write {
            let app = try $0.insertApp(bundleID: Self.bundleID, name: "Match", publicKey: "key", at: Self.epoch).id
            try $0.put(
                APNSKey(
                    app: app, environment: .sandbox, teamID: "TEAM000001", keyID: "KEY0000001",
                    sealed: SealedSecret(masterKeyID: "m", box: []), addedAt: Self.epoch))
            // A device that its budget kept from a start is not looked at again when there is room.
            var profile = TypeProfile(app: app, type: Self.type)
            profile.startsPerHour = TypeProfile.startLimit
            if plan.troubles.contains(.live), plan.seed % 5 < 2 { try $0.put(profile) }
            return app
        }
        for number in 1...plan.phones { try addPhone(number) }
        for index in nodes.indices {
            place = index
            startEngine()
            if hasNodes {
                node.pending.append(.enter)
            } else {
                try beginAlone()
                enqueue(.timer)
            }
            restartGate()
        }
    }

    /// The node on which something happens.
    var node: SimulatedNode { nodes[place] }

    /// The time of that node's clock.
    var now: Instant { node.clock(at: time) }

    /// Returns the engine's limits for a plan. Every third plan has so little room that each lap takes many looks and
    /// pages wait for each other. Half of the others use pages of the ring, although they are small.
    static func limits(of plan: SimulationPlan, planting fault: PlantedFault? = nil) -> EngineCore.Limits {
        var limits = EngineCore.Limits()
        // A lost hint is found after a minute. A shorter interval would only cost steps.
        limits.poll = 60
        if plan.seed % 3 == 1 { limits.ringFrom = 1 }
        // The limit is one page, so that a look takes no second one.
        if plan.isSpread { limits.pushesPerTake = 20 }
        // A few dead tokens fill the lane of the unproven.
        if plan.seed.isMultiple(of: 5) { (limits.probation.places, limits.probation.perSecond) = (2, 0.5) }
        guard plan.seed.isMultiple(of: 3) else { return limits }
        if !plan.isSpread { limits.pushesPerTake = 2 }
        limits.pushesPerApp = limits.pushesPerTake * 3 / 2
        limits.pushesInFlight = limits.pushesPerTake * 4
        limits.looksPerTake = 2
        (limits.turnsPerApp, limits.turns) = (2, 6)
        limits.replicasPerTake = 3
        if fault == .flightsUnbounded { (limits.pushesPerApp, limits.pushesInFlight) = (1_000, 1_000) }
        return limits
    }

    /// Runs to the end.
    ///
    /// - Returns: the record, with everything that broke a rule.
    package func run() throws -> SimulationRecord {
        for action in 1...max(1, plan.actions) {
            if plan.actions > 0 { try surviving(act) }
            for _ in 0..<random.below(12) { try happen() }
            try onEach(lookLater)
            try onEach(admitLiveLater)
            try judgeMoment()
            guard action.isMultiple(of: SimulationPlan.round) || action >= plan.actions else { continue }
            try comeToRest()
            try read { try SimulationOracle(self).judge() }
            if action >= plan.actions {
                try tryRemedy()
                try declareOnAndOn()
            }
            isPeace = false
            // A violation is reported once.
            if !record.violations.isEmpty { break }
        }
        return record
    }

    /// Asks at a random moment what one phone shows.
    private func judgeMoment() throws {
        guard moments.percent(50) else { return }
        let (index, name) = (moments.below(phones.count), moments.below(Self.names.count + 1))
        try read {
            try SimulationOracle(self).judgeMoment(index, Self.names.indices.contains(name) ? Self.names[name] : nil)
        }
    }

    // MARK: Order

    func enqueue(_ input: EngineCore.Input) { node.pending.append(.input(input)) }

    /// Lets one of the items under way happen.
    func happen() throws {
        // Work takes time: a page may be taken in one second and leave in others.
        if !isPeace, random.percent(5) { try pass(seconds: 1) }
        var index = random.below(underWay)
        for other in nodes.indices where nodes[other].isRunning {
            guard index >= nodes[other].pending.count else {
                place = other
                return try happen(node.pending.remove(at: index))
            }
            index -= nodes[other].pending.count
        }
    }

    /// The number of items under way on running nodes.
    var underWay: Int { nodes.reduce(0) { $0 + ($1.isRunning ? $1.pending.count : 0) } }

    private func happen(_ next: Pending) throws {
        let isAlive = try surviving { try perform(next) }
        // Phones that asked wait in vain.
        if !isAlive { for phone in next.askers { node.pending.append(.answer(phone: phone, nil)) } }
    }

    private func perform(_ next: Pending) throws {
        switch next {
        case .input(let input): step(input)
        case .effect(let effect): try perform(effect)
        case .flight(let flight): try read { try advance(flight) }
        case .part(let flight, let known): hear(known, of: flight)
        case .request(let phone, let batch, let sentAt): receive(batch, from: phone, sentAt: sentAt)
        case .answer(let phone, let answer):
            // Only a planted fault writes.
            if fault == .endsForgotten {
                try write { try receive(answer, at: phone) }
            } else {
                try receive(answer, at: phone)
            }
        case .apply(let report): try apply(report)
        case .gather: gather()
        case .group(let group): try answer(group)
        case .append(let group, let answered): try append(group, answered)
        case .merge: try merge()
        case .merging(let merges, let removals): try merge(merges, removals)
        case .tell: try processMembers()
        case .live: try admitLive()
        case .liveLook(let look): try take(look)
        case .look: try look()
        case .ask(let task): try read { try ask(task) }
        case .told(let task, let outcome): try told(task, outcome)
        case .question(let phone, let name): try question(name, from: phone)
        case .advice(let phone, let name, let channel, let generation):
            startLocally(name, on: phone, following: channel, of: generation)
        case .enter: try enter()
        case .renew: try renew()
        }
    }

    func step(_ input: EngineCore.Input) {
        var input = input
        // The engine's shell reads the shards when it comes to a change, so changes do not overtake each other.
        if case .serve = input {
            let served = node.holding?.served ?? []
            node.holding?.known.formUnion(served)
            input = .serve(served)
        }
        let effects = node.holding?.core.step(input, now: now) ?? []
        for effect in effects { node.pending.append(.effect(effect)) }
    }

    // MARK: Time

    func pass(seconds: Double) throws {
        try onEach {
            guard let since = node.pageSince, time + seconds > since + Self.pageTime else { return }
            try finishPages()
            node.pageSince = nil
        }
        time = time + seconds
        for index in phones.indices {
            phones[index].state.advance(to: time.date)
            absorbEvents(of: index)
        }
        try onEach {
            try lookLater()
            try admitLiveLater()
            try watchClock()
        }
    }

    /// Ends the pages, because the sender's time is over.
    private func finishPages() throws {
        while let index = node.pending.firstIndex(where: \.isOnItsWay) {
            try happen(node.pending.remove(at: index))
        }
    }
}

extension Simulation.Pending {
    /// Whether the item takes no longer than the sender waits for Apple, or a phone for an answer.
    fileprivate var isOnItsWay: Bool {
        switch self {
        case .input(.took), .effect(.push), .flight, .part, .ask, .apply, .gather, .group, .append: true
        default: false
        }
    }

    /// The phones that wait for an answer to the item.
    var askers: [Int] {
        switch self {
        case .request(let phone, _, _), .answer(let phone, _): [phone]
        case .apply(let report): [report].askers
        case .group(let group), .append(let group, _): group.askers
        default: []
        }
    }
}

extension SeededGenerator {
    /// Returns a number from 0 up to `bound`.
    mutating func below(_ bound: Int) -> Int { bound <= 0 ? 0 : Int(next() % UInt64(bound)) }

    /// Returns true with this chance in percent.
    mutating func percent(_ share: Int) -> Bool { below(100) < share }
}

import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine

/// Everything that is due at a moment, done at once: lists, live audiences, channels and pushes. Apple takes each push.
struct SettingsEngine: Sendable {
    static let channel = "c2V0dGluZ3M="

    var phones: [SettingsPhone] = []
    private var cards = 0
    private var began: [(phone: Int, card: SettingsPhone.OwnCard)] = []

    mutating func run(_ ledger: any Ledger, at now: Instant) throws {
        repeat {
            for begun in began { try phones[begun.phone].report(begun.card, to: ledger, at: now) }
            began = []
            try processMembers(ledger, now)
            try workOnChannels(ledger, now)
            try push(ledger, now)
        } while !began.isEmpty
    }

    private func processMembers(_ ledger: any Ledger, _ now: Instant) throws {
        while let list = try ledger.memberLists(after: 0, limit: 1).first {
            try ProcessMembers(Transaction(ledger, at: now))(list.id)
        }
        let live = AdmitLiveMembers(Transaction(ledger, at: now))
        for audience in try AdmitLiveMembers.unlooked(in: ledger) {
            try live.take(AdmitLiveMembers.look(audience, in: ledger, at: now))
        }
        while try live.lookAtChanged() {}
    }

    // MARK: Channels

    private mutating func workOnChannels(_ ledger: any Ledger, _ now: Instant) throws {
        let turns = ChannelTurns()
        while case let tasks = try TakeChannels(Transaction(ledger, at: now))(in: turns.room()), !tasks.isEmpty {
            for task in tasks {
                try SettleChannel(Transaction(ledger, at: now))(task, try outcome(of: task, now))
            }
        }
    }

    private mutating func outcome(of task: ChannelTask, _ now: Instant) throws -> ChannelOutcome {
        switch task.job {
        case .make: return .answered(APNSChannelID(Self.channel).map(ChannelAnswer.made) ?? .failed)
        case .delete: return .answered(.deleted)
        case .broadcast(let push, let page, let isUrgent):
            for phone in phones.indices where phones[phone].cards.contains(where: { $0.channel == Self.channel }) {
                try deliver(page.template(at: 0), to: phone, now)
            }
            return .broadcast(push, .accepted, stampedUpTo: now.second, isUrgent: isUrgent)
        }
    }

    // MARK: Pushes to tokens

    /// A new core finds what is due in the store, as after a restart.
    private mutating func push(_ ledger: any Ledger, _ now: Instant) throws {
        var core = EngineCore()
        var inputs: [EngineCore.Input] = [.timer]
        while !inputs.isEmpty {
            for effect in core.step(inputs.removeFirst(), now: now) { try inputs += perform(effect, ledger, now) }
        }
    }

    private mutating func perform(
        _ effect: EngineCore.Effect, _ ledger: any Ledger, _ now: Instant
    ) throws -> [EngineCore.Input] {
        switch effect {
        case .push(let id, _, let page):
            for slot in 0..<page.count { try deliver(page, slot, now) }
            var verdicts = PageVerdicts(count: page.count)
            for slot in 0..<page.count { verdicts.verdicts[slot] = .accepted }
            verdicts.stampedUpTo = now.second
            return [.pushed(id, verdicts)]
        default: return try [PerformEffect(Transaction(ledger, at: now))(effect)].compactMap(\.self)
        }
    }

    private mutating func deliver(_ page: PushPage, _ slot: Int, _ now: Instant) throws {
        let token = PushToken(bytes: page.token(at: slot))
        let index = phones.firstIndex { phone in
            phone.startToken == token || phone.cards.contains { $0.token == token }
        }
        guard let index else { return }
        let aps = try deliver(page.template(at: slot), to: index, now)
        guard aps["event"] == "start" else { return }
        cards += 1
        phones[index].begin(aps, number: cards)
        began += phones[index].cards.last.map { [(index, $0)] } ?? []
    }

    @discardableResult
    private mutating func deliver(_ template: PushTemplate, to phone: Int, _ now: Instant) throws -> JSONObject {
        let body = try JSONValue(parsing: template.body(timestamp: now.second))
        let aps = body.object?["aps"]?.object ?? JSONObject()
        phones[phone].pushes.append(
            SettingsPush(
                second: now.second, event: aps["event"]?.string ?? "", priority: template.priority.rawValue, aps: aps))
        return aps
    }
}

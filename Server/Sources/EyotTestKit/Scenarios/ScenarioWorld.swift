import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine

/// The error of an engine that does not come to rest.
package struct EndlessScenario: Error {}

/// A player of scenarios: the domain, the engine's core, a ledger and small phones, synchronous and on one clock.
package final class ScenarioWorld {
    /// The type of every card in the scenarios.
    package static let type = "MatchAttributes"
    private static let stepLimit = 500_000
    /// Seconds from which a scenario is long.
    private static let longScenario = 1_000.0
    private static let epoch = Instant(second: 1_700_000_000)

    let ledger: any Ledger
    private var limits: EngineCore.Limits
    private var callLimits = Declare.Limits()
    private var core: EngineCore
    private(set) var now = epoch
    private var elapsed = 0.0
    private var offset = 0.0
    private var wakeAt: Instant?
    private var fates: [Scenario.Fate] = []
    private var late: [(EngineCore.PageID, PageVerdicts)] = []
    private var phones: [String: ScenarioPhone] = [:]
    private var tokens = 0
    private var steps = 0
    private(set) package var pushes: [String] = []
    private(set) package var failures: [String] = []

    let app: AppID

    /// The path of few replicas through code for many.
    package enum Way: Sendable, CaseIterable {
        case replicas
        /// The smallest activity uses pages of the ring too.
        case pages
        /// Each transaction processes one member of a request.
        case lists
    }

    /// Makes a world.
    ///
    /// - Parameter ledger: an empty ledger. The world makes an app in it.
    package init(ledger: any Ledger, by way: Way = .replicas) throws {
        var limits = EngineCore.Limits()
        if way == .pages { limits.ringFrom = 1 }
        self.limits = limits
        if way == .lists { callLimits.inlineLimit = 1 }
        core = EngineCore(limits: limits)
        self.ledger = ledger
        app = try ledger.insertApp(bundleID: "org.example.match", name: "Match", publicKey: "key", at: Self.epoch).id
    }

    /// The content of each phone.
    package var screens: [String: String] { phones.mapValues(\.screen) }

    package func play(_ scenario: Scenario) throws {
        // No hint is lost here, so a short interval would only cost steps.
        if scenario.until > Self.longScenario { limits.poll = 60 }
        core = EngineCore(limits: limits)
        for step in scenario.steps {
            try pass(to: step.time)
            try perform(step.event)
            try drain([])
        }
        try pass(to: scenario.until)
    }

    // MARK: Time

    private func pass(to time: Double) throws {
        while let next = wakeAt, next.seconds(since: Self.epoch) - offset <= time {
            wakeAt = nil
            set(max(elapsed, next.seconds(since: Self.epoch) - offset))
            try step(.timer)
        }
        set(max(elapsed, time))
    }

    private func set(_ time: Double) {
        elapsed = time
        now = Self.epoch + (time + offset)
    }

    // MARK: Events

    private func perform(_ event: Scenario.Event) throws {
        switch event {
        case .phone(let name, let tags, let os, let allows): try add(name, tags, os, allows)
        case .call(let request, let key): try call(request, key)
        case .calls(let requests):
            for request in requests { try declare(request, nil) }
            try tell()
        case .refused(let request, let code): expectRefusal(request, code)
        case .local(let phone, let name, let hasToken):
            try appear(on: phone, name: name, hasToken: hasToken)
        case .startToken(let phone): try giveStartToken(phone)
        case .token(let phone, let card): try giveToken(phone, card - 1, isNew: true)
        case .again(let phone, let card): try giveToken(phone, card - 1, isNew: false)
        case .report(let phone, let event, let card): try report(phone, event, card - 1)
        case .swap(let phone, let name, let card): try swap(phone, name, card - 1)
        case .removes(let phone): phones[phone]?.cards[0].isDismissed = true
        case .lists(let phone): try list(phone)
        case .opens(let phone, let cards, let removes): try open(phone, cards.map { $0 - 1 }, removes: removes)
        case .forgets(let phone): _ = try send(phone, .running(type: Self.type, instances: []))
        case .allow(let phone):
            phones[phone]?.allows = true
            for index in (phones[phone]?.cards ?? []).indices where phones[phone]?.cards[index].token == nil {
                try giveToken(phone, index, isNew: true)
            }
        case .fates(let next): fates += next
        case .answers:
            let arrived = late
            late = []
            for (page, verdicts) in arrived { try step(.pushed(page, verdicts)) }
        case .crash: try crash()
        case .clock(let seconds):
            offset += seconds
            set(elapsed)
            try step(.timer)
        case .profile(let spacing, let sparing, let starts, let silence):
            var profile = TypeProfile(app: app, type: Self.type)
            (profile.spacing, profile.sparingSpacing, profile.startsPerHour) = (spacing, sparing, starts)
            profile.restartAfter = silence
            try ledger.put(profile)
        case .frequentPushes(let phone, let areAllowed):
            _ = try send(
                phone, .permissions(DevicePermissions(activities: true, frequentPushes: areAllowed)))
        case .resume, .halt, .restore:
            try operate(event)
            try hint()
        }
    }

    private func add(_ name: String, _ tags: Set<String>, _ os: OSVersion, _ allows: Bool) throws {
        let device = try ledger.insert(
            NewDevice(
                app: app, installation: name, environment: .sandbox, osVersion: os, appVersion: "1",
                permissions: DevicePermissions(activities: true, frequentPushes: true), user: "user-\(name)",
                createdAt: now))
        try ledger.put(User(app: app, externalID: "user-\(name)", tags: tags))
        phones[name] = ScenarioPhone(device: device.id, allows: allows)
        if os >= .remoteStart { try giveStartToken(name) }
    }

    private func giveStartToken(_ phone: String) throws {
        let token = makeToken()
        phones[phone]?.startToken = token
        _ = try send(phone, .setStartToken(type: Self.type, token: token))
    }

    private func call(_ request: DeclarationRequest, _ key: String?) throws {
        try declare(request, key)
        try tell()
    }

    private func declare(_ request: DeclarationRequest, _ key: String?) throws {
        let idempotency = key.map { Idempotency(key: $0, digest: [UInt8]("\(request)".utf8)) }
        let accepted = KeptAnswer(status: 202, body: nil)
        let act = { [self] in _ = try Declare(Transaction(ledger, at: now), app: app, limits: callLimits)(request) }
        try AnswerOnce(Transaction(ledger, at: now), app: app)(
            idempotency, repeating: { _ in }, keeping: { accepted }, act: act)
    }

    /// Processes pending members, one transaction after the other.
    private func tell() throws {
        try hint()
        while let list = try ledger.memberLists(after: 0, limit: 1).first {
            try ProcessMembers(Transaction(ledger, at: now))(list.id, limit: callLimits.inlineLimit)
            try hint()
        }
    }

    private func expectRefusal(_ request: DeclarationRequest, _ code: EyotError.Code) {
        do {
            _ = try Declare(Transaction(ledger, at: now), app: app, limits: callLimits)(request)
            failures.append("\(request.verb) \(request.name) was taken")
        } catch let error as EyotError where error.code == code {
            return
        } catch {
            failures.append("\(request.verb) \(request.name): \(error)")
        }
    }

    private func crash() throws {
        core = EngineCore(limits: limits)
        late = []
        for replica in try ledger.unansweredStarts(limit: .max) {
            try Transaction(ledger, at: now).loseAnswer(ofStart: replica)
        }
        _ = try Transaction(ledger, at: now).loseAnswers(ofAlertsIn: .all, limit: .max)
        try step(.timer)
    }

    // MARK: Phones

    private func makeToken() -> PushToken {
        tokens += 1
        guard let token = PushToken(bytes: [UInt8(tokens >> 8), UInt8(tokens & 255)]) else { fatalError("no token") }
        return token
    }

    private func appear(on phone: String, name: String, hasToken: Bool, state: Int? = nil) throws {
        guard let count = phones[phone]?.cards.count else { return }
        phones[phone]?.add(name, on: phone, state: state, at: now)
        if hasToken {
            try giveToken(phone, count, isNew: true)
        } else {
            _ = try send(phone, .cardSeen(card(phone, count)))
        }
    }

    private func card(_ phone: String, _ index: Int) -> Card {
        let card = phones[phone]?.cards[index]
        return Card(instance: card?.instance ?? "", name: card?.name ?? "", type: Self.type)
    }

    private func giveToken(_ phone: String, _ index: Int, isNew: Bool) throws {
        if isNew { phones[phone]?.cards[index].token = makeToken() }
        guard let token = phones[phone]?.cards[index].token else { return }
        _ = try send(phone, .setUpdateToken(card(phone, index), token: token))
    }

    private func report(_ phone: String, _ event: CardEvent, _ index: Int) throws {
        if event == .dismissed || event == .vanished { phones[phone]?.cards[index].isDismissed = true }
        if event == .locallyChanged { phones[phone]?.cards[index].state = 0 }
        if event == .ended { phones[phone]?.cards[index].isEnded = true }
        _ = try send(phone, .cardEvent(card(phone, index), event))
    }

    private func swap(_ phone: String, _ name: String, _ removed: Int) throws {
        guard let count = phones[phone]?.cards.count else { return }
        let token = makeToken()
        phones[phone]?.cards.append(.init(instance: "\(phone).\(count + 1)", name: name, token: token))
        phones[phone]?.cards[removed].isDismissed = true
        _ = try send(
            phone, .setUpdateToken(card(phone, count), token: token), .cardEvent(card(phone, removed), .vanished))
    }

    private func running(on phone: String) -> DeviceChange.Action {
        let running = (phones[phone]?.cards ?? []).filter { !$0.isEnded && !$0.isDismissed }
        return .running(type: Self.type, instances: running.map(\.instance))
    }

    private func list(_ phone: String) throws { _ = try send(phone, running(on: phone)) }

    private func open(_ phone: String, _ cards: [Int], removes: Bool) throws {
        var actions = [running(on: phone)]
        for card in cards {
            phones[phone]?.cards[card].isFollowed = true
            actions.append(.cardSeen(self.card(phone, card)))
            guard phones[phone]?.allows == true else { continue }
            let token = phones[phone]?.cards[card].token ?? makeToken()
            phones[phone]?.cards[card].token = token
            actions.append(.setUpdateToken(self.card(phone, card), token: token))
        }
        _ = try send(phone, actions)
        guard removes, let newest = cards.last else { return }
        let name = phones[phone]?.cards[newest].name
        for (index, older) in (phones[phone]?.cards ?? []).enumerated()
        where index != newest && older.isFollowed && older.name == name && !older.isEnded && !older.isDismissed {
            try report(phone, .ended, index)
        }
    }

    private func send(_ phone: String, _ actions: DeviceChange.Action...) throws -> DeviceAnswer? {
        try send(phone, actions)
    }

    /// Sends one report and applies the answer, as the SDK does.
    private func send(_ phone: String, _ actions: [DeviceChange.Action]) throws -> DeviceAnswer? {
        guard let device = phones[phone]?.device, let sequence = phones[phone]?.sequence else { return nil }
        phones[phone]?.sequence = sequence + actions.count
        let changes = zip(1..., actions).map { DeviceChange(sequence: sequence + $0, action: $1) }
        let batch = DeviceChangeBatch(epoch: 1, changes: changes)
        let answer = try ApplyChanges(Transaction(ledger, at: now))(batch, of: device)
        for state in answer.cards {
            guard let index = phones[phone]?.cards.firstIndex(where: { $0.instance == state.instance }) else {
                continue
            }
            phones[phone]?.show(
                state.contentState?.object?["n"]?.integer, ends: state.ends, timestamp: state.timestamp, at: index)
        }
        try hint()
        return answer
    }

    // MARK: The engine

    private func hint() throws {
        let woken = ledger.woken
        ledger.woken = []
        try step(.woken(woken.sorted { $0.rawValue < $1.rawValue }))
    }

    private func step(_ input: EngineCore.Input) throws { try drain([input]) }

    private func drain(_ inputs: [EngineCore.Input]) throws {
        var inputs = inputs
        while !inputs.isEmpty {
            steps += 1
            guard steps < Self.stepLimit else { throw EndlessScenario() }
            for effect in core.step(inputs.removeFirst(), now: now) { try inputs += perform(effect) }
        }
    }

    private func perform(_ effect: EngineCore.Effect) throws -> [EngineCore.Input] {
        switch effect {
        case .push(let id, _, let page): return try push(id, page)
        case .wake(let moment):
            wakeAt = Instant.soonest(wakeAt, moment)
            return []
        default: return try [PerformEffect(Transaction(ledger, at: now))(effect)].compactMap(\.self)
        }
    }

    /// Gives the pushes of a page their fates. Registrations after a start follow the page's verdicts.
    private func push(_ id: EngineCore.PageID, _ page: PushPage) throws -> [EngineCore.Input] {
        var verdicts = PageVerdicts(count: page.count)
        verdicts.stampedUpTo = now.second
        var appearing: [StartedCard] = []
        for slot in 0..<page.count {
            let fate = fates.isEmpty ? .accepted : fates.removeFirst()
            verdicts.verdicts[slot] = fate.verdict
            verdicts.deadSince[slot] = fate.deadSince.map { (Self.epoch + $0).microseconds / 1_000 }
            if fate.isLate { verdicts.open.append(slot) }
            guard let started = try deliver(page, slot, arrives: fate.arrives) else { continue }
            if fate.isUnseen {
                phones[started.phone]?.add(started.name, on: started.phone, state: started.state, at: now)
            } else {
                appearing.append(started)
            }
        }
        // The known verdicts are reported while the others wait.
        if verdicts.open.count < page.count { try drain([.pushed(id, verdicts)]) }
        if !verdicts.open.isEmpty {
            verdicts.open = []
            late.append((id, verdicts))
        }
        for card in appearing {
            try appear(on: card.phone, name: card.name, hasToken: phones[card.phone]?.allows == true, state: card.state)
        }
        return []
    }

    /// Records the push and delivers it to the phone.
    ///
    /// - Returns: the card that appears; nil for none.
    private func deliver(_ page: PushPage, _ slot: Int, arrives: Bool) throws -> StartedCard? {
        let aps = try JSONValue(parsing: page.template(at: slot).body(timestamp: now.second)).object?["aps"]?.object
        let token = PushToken(bytes: page.token(at: slot))
        let event = aps?["event"]?.string ?? "?"
        let state = aps?["content-state"]?.object?["n"]?.integer
        let mark = aps?["alert"] == nil ? "" : "!"
        guard let token, let (phone, card) = owner(of: token) else {
            pushes.append("\(Int(elapsed.rounded(.down))) nobody \(event)")
            return nil
        }
        let label = card.map { $0 == 0 ? phone : "\(phone).\($0 + 1)" } ?? phone
        pushes.append("\(Int(elapsed.rounded(.down))) \(label) \(event) \(state.map(String.init) ?? "-")\(mark)")
        guard arrives else { return nil }
        if event == "start" {
            let name = aps?["attributes"]?.object?["id"]?.string ?? "m"
            return StartedCard(phone: phone, name: name, state: state)
        }
        phones[phone]?.show(state, ends: event == "end", timestamp: Double(now.second), on: token)
        return nil
    }

    /// A card that a start made.
    private struct StartedCard {
        var phone: String
        var name: String
        var state: Int?
    }

    private func owner(of token: PushToken) -> (String, Int?)? {
        for (name, phone) in phones {
            if phone.startToken == token { return (name, nil) }
            if let card = phone.cards.firstIndex(where: { $0.token == token }) { return (name, card) }
        }
        return nil
    }
}

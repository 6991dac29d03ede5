import EyotCommands
import EyotContract
import EyotDomain
import PhoneSimulator

extension Simulation {
    /// The names of activities. They are few, so that calls meet.
    static let names = ["final", "order"]

    /// Performs one action of a backend, a person, the network or time.
    func act() throws {
        if hasNodes { try actOnNodes() }
        if plan.troubles.contains(.histories), random.percent(10) { try keepOrGoBack() }
        if hasLive, random.percent(12) { try changePeople() }
        if hasKeys, random.percent(4) { if brokenKey == nil { breakKey() } else { mendKey() } }
        let index = random.below(phones.count)
        switch random.below(100) {
        case 0..<40: try call()
        case 40..<53: try pass(seconds: Double(random.below(2_500)) / 1_000)
        case 53..<55: try pass(seconds: Double(random.below(900)))
        case 55..<72: try send(from: index)
        case 72..<78: startLocally(on: index)
        case 78..<82: rotate(on: index)
        case 82..<85: dismiss(on: index)
        case 85..<89: moveApp(on: index)
        case 89..<93: moveNetwork(of: index)
        case 93..<96: if plan.troubles.contains(.crashes) { try crash() }
        case 96..<98:
            // Days, after which a channel's lease ends.
            let most = hasChannels && random.percent(40) ? 180_000 : 10_800
            if plan.troubles.contains(.clock) { try pass(seconds: Double(random.below(most))) }
        case 98..<99: if plan.troubles.contains(.halts) { try halt() }
        default: try resumeApp()
        }
        absorbEvents(of: index)
    }

    // MARK: Backends

    func call() throws {
        let name = Self.names[random.below(Self.names.count)]
        var request = DeclarationRequest(verb: verb(), name: name, content: content())
        switch request.verb {
        case .start, .put:
            request.type = Self.type
            request.attributes = ["eyotActivityName": .string(name)]
            request.audience = random.percent(70) ? .tag("fans") : .user("user-\(1 + random.below(phones.count))")
            request.wantsChannel = hasChannels && random.percent(35)
        case .update, .end:
            if random.percent(30) { request.scope = scope() }
        }
        if request.verb == .end, random.percent(40) { request.content.state = nil }
        if plan.troubles.contains(.canaries), request.scope == nil, random.percent(15) { request.canary = terms() }
        if hasLive, request.audience != nil, random.percent(60) { makeLive(&request) }
        wish(&request)
        try declare(request, with: nextKey(of: request))
        try repeatCall()
    }

    private func scope() -> Audience {
        let user = Audience.user("user-\(1 + random.below(phones.count))")
        return random.percent(60) ? user : .not(user)
    }

    private func terms() -> Canary.Terms {
        Canary.Terms(
            percent: Double(10 + 10 * random.below(5)), maximumRefusals: [0, 0.1, 0.5][random.below(3)],
            waitSeconds: Double(random.below(120)))
    }

    private func verb() -> DeclarationRequest.Verb {
        switch random.below(10) {
        case 0..<3: .start
        case 3..<8: .update
        case 8: .put
        default: .end
        }
    }

    func content() -> Content {
        defer { nextState += 1 }
        // Some states go stale.
        let staleDate = nextState.isMultiple(of: 4) ? now.second + 60 * nextState : nil
        return Content(state: ["n": .integer(nextState)], staleDate: staleDate)
    }

    func declare(_ wish: DeclarationRequest, with key: Idempotency? = nil) throws {
        do {
            try write { try take(wish, with: key) }
        } catch let error as EyotError {
            record.note("\(wish.verb.rawValue) \(wish.name) refused: \(error.code.rawValue)")
        }
    }

    func take(_ wish: DeclarationRequest) throws {
        var request = wish
        let before = try ledger.newestActivity(named: request.name, in: app)
        let opens = before.map { $0.isEnded && request.verb != .end } ?? true
        let version = opens ? 1 : (before?.version ?? 0) + 1
        if request.verb == .start || request.verb == .put || random.percent(25) {
            request.content.alert = alert(of: version)
        }
        if request.verb == .update || request.verb == .end, random.percent(15) {
            request.asOf = now + -Double(random.below(60))
        }
        var limits = Declare.Limits()
        limits.inlineLimit = inlineLimit
        limits.channels = fault == .poolUnbounded ? Int.max : SimulatedChannels.poolLimit
        let pendingStarts = try before.flatMap { try waiting(for: request, in: $0) }
        let operation = try Declare(Transaction(ledger, at: now), app: app, limits: limits)(request)
        record.note(
            "\(request.verb.rawValue) \(request.name) \(request.content.state?.text ?? "-") "
                + (request.scope == nil ? "" : "scoped ")
                + (request.canary == nil ? "" : "tried out ")
                + "\(operation.outcome) \(operation.generation)-\(operation.version)")
        if operation.outcome == .applied {
            noteShare(of: request, operation, after: before)
            try noteHolders(of: operation)
            try noteAlert(of: request, operation)
            // The late state of an end does not count, but the end does.
            if request.verb == .end, request.scope == nil, let before, request.isLate(in: before) {
                request.content.state = nil
            }
            try remember(request, operation, opens: opens)
            if let pendingStarts { try remember(pendingStarts, of: operation) }
        }
        if operation.pending > 0 { node.pending.append(.tell) }
        if fault == .lateCallersWin, operation.outcome == .superseded { try forceNewest(request) }
    }

    /// Implements the fault `lateCallersWin`: applies the call although something newer was declared.
    private func forceNewest(_ request: DeclarationRequest) throws {
        var late = request
        late.asOf = nil
        _ = try Declare(Transaction(ledger, at: now), app: app)(late)
    }

    private func remember(_ request: DeclarationRequest, _ operation: Operation, opens: Bool) throws {
        let generation = SimulationRecord.Generation(name: request.name, number: operation.generation)
        let declared = SimulationRecord.Declared(request, version: operation.version)
        // A start that is the first declaration is for everyone.
        let isStartOfMore = request.verb == .start && !opens && operation.version > 1
        if request.scope == nil, !isStartOfMore { record.everyone[generation, default: []].append(declared) }
        noteRestart(request, in: generation)
        if request.live != nil, isStartOfMore { record.live[generation, default: []].append(declared) }
        if request.scope != nil || isStartOfMore { try remember(declared, of: operation, in: generation) }
    }

    /// Resumes the app, as an operator does after correcting the cause of the pause.
    func resumeApp() throws {
        guard try store.read({ try $0.app(app)?.pauses.isEmpty }) == false else { return }
        try write { _ = try ResumeApp(Transaction(ledger, at: now))(app) }
    }

    /// Turns one of the operator's switches on.
    private func halt() throws {
        let name = Self.names[random.below(Self.names.count)]
        let size = random.below(3)
        try write {
            let set = SetHalt(Transaction(try ledger, at: now))
            switch size {
            case 0: _ = try set.halt(app: app)
            case 1: _ = try set.set(true, type: Self.type, of: app)
            default:
                guard try ledger.newestActivity(named: name, in: app) != nil else { return }
                _ = try set.set(true, activity: name, of: app)
            }
            record.note("an operator halts \(name), its type or the app")
        }
    }

    /// Turns all switches off.
    func endHalts() throws {
        try write {
            let set = SetHalt(Transaction(try ledger, at: now))
            for name in Self.names where try ledger.newestActivity(named: name, in: app)?.haltedAt != nil {
                _ = try set.set(false, activity: name, of: app)
            }
            _ = try set.set(false, type: Self.type, of: app)
            if try ledger.app(app)?.haltedAt != nil { _ = try ResumeApp(Transaction(try ledger, at: now))(app) }
        }
    }

    // MARK: People

    private func startLocally(on index: Int) {
        let name = Self.names[random.below(Self.names.count)]
        if hasChannels, random.percent(50) {
            node.pending.append(.question(phone: index, name: name))
        } else {
            startLocally(name, on: index, following: nil, of: nil)
        }
    }

    private func cardInView(on index: Int) -> String? {
        let running = phones[index].state.cards.filter(\.phase.isRunning)
        return running.isEmpty ? nil : running[random.below(running.count)].id
    }

    func rotate(on index: Int) {
        guard let id = cardInView(on: index) else { return }
        record.note("phone-\(index + 1) has a new token")
        phones[index].state.rotateToken(ofCard: id, now: time.date)
    }

    private func dismiss(on index: Int) {
        guard let id = cardInView(on: index) else { return }
        record.note("phone-\(index + 1) dismisses a card")
        phones[index].swiped.insert(id)
        _ = phones[index].state.dismiss(card: id, now: time.date)
    }

    private func moveApp(on index: Int) {
        switch random.below(4) {
        case 0:
            phones[index].state.forceQuit(now: time.date)
            phones[index].isSending = false
        case 1: phones[index].state.moveToBackground(now: time.date)
        default: phones[index].state.launch(now: time.date)
        }
    }

    private func moveNetwork(of index: Int) {
        if phones[index].state.isOnline {
            phones[index].state.goOffline(now: time.date)
        } else {
            goOnline(index)
        }
    }
}

import EyotCommands
import EyotContract
import EyotDomain
import Foundation
import PhoneSimulator

/// Apple's knowledge of a token.
struct SimulatedToken {
    var phone: Int
    /// The card; nil for a start token.
    var card: String?
    var diedAt: Date?
}

/// A phone with a minimal SDK: an ordered outbox, and one request at a time.
struct SimulationPhone {
    var state: PhoneState
    var device: DeviceID
    var environment = PushEnvironment.sandbox
    var outbox: [DeviceChange] = []
    var sequence = 0
    var isSending = false
    /// Whether the app is never opened, so that the phone only receives pushes.
    var isQuiet = false
    /// The moment since which Apple has reached the phone without interruption.
    var onlineSince: Instant
    /// Cards that the person removed while the app ran, and that the app knows to be removed.
    var dismissed: Set<String> = []
    /// Cards that the person removed, whether the app knows it or not.
    var swiped: Set<String> = []
    /// Cards that the app knows to have ended.
    var ended: Set<String> = []
    /// The newest version that an answer brought to a card in this process of the app.
    var shown: [String: Int] = [:]
    /// What each card shows, as it was told last in this history.
    var toldDigests: [String: StateDigest] = [:]
    /// The history of the server's database that it has heard of last.
    var history = 0
    /// What the server has confirmed in this history.
    var confirmed: Set<String> = []

    /// Adds a change to the outbox as EyotKit does. Only the last list of running cards counts, and cards that appear
    /// while it waits are added.
    mutating func report(_ action: DeviceChange.Action) {
        sequence += 1
        if case .running = action {
            outbox.removeAll { if case .running = $0.action { true } else { false } }
        }
        if case .cardSeen(let card) = action {
            for index in outbox.indices {
                guard case .running(let type, let instances) = outbox[index].action else { continue }
                outbox[index].action = .running(type: type, instances: instances + [card.instance])
            }
        }
        outbox.append(DeviceChange(sequence: sequence, action: action))
    }

    func card(_ id: String) -> Card? {
        guard let card = state.card(id), let name = card.attributes.object?["eyotActivityName"]?.string else {
            return nil
        }
        return Card(instance: id, name: name, type: card.type)
    }
}

extension Simulation {
    func addPhone(_ number: Int) throws {
        let isOld = hasChannels && number.isMultiple(of: 3)
        let environment = environment(ofPhone: number)
        let configuration = PhoneConfiguration(
            id: "phone-\(number)", os: isOld ? IOSVersion(17, 4) : IOSVersion(26), bundleID: Self.bundleID,
            environment: environment, seed: plan.seed,
            types: [.anyObject(type: Self.type)], rules: plan.rules)
        let device = try store.write { ledger in
            try ledger.put(User(app: app, externalID: "user-\(number)", tags: ["fans"]))
            var device = NewDevice(
                app: app, installation: "phone-\(number)", environment: environment,
                osVersion: isOld ? OSVersion(17, 4) : OSVersion(26), appVersion: "1",
                permissions: DevicePermissions(activities: true, frequentPushes: true),
                user: "user-\(number)", createdAt: now)
            device.language = Self.language(of: number)
            let stored = try ledger.insert(device)
            Transaction(ledger, at: now).countAdoption(ofNew: stored)
            return stored
        }
        phones.append(SimulationPhone(state: PhoneState(configuration), device: device.id, onlineSince: time))
        phones[number - 1].environment = environment
        // If iOS drops pushes by its own rules, a phone that never looks at its cards may stay behind.
        phones[number - 1].isQuiet = hasChannels && number == 4 && plan.rules == PhoneRules()
        phones[number - 1].state.launch(now: time.date)
        absorbEvents(of: number - 1)
    }

    /// Brings the network back and launches the app anew. The app must look at its cards, because only the last push
    /// that Apple kept for an absent phone arrives.
    func makePeace(with index: Int) {
        goOnline(index)
        guard !phones[index].isQuiet else { return }
        phones[index].state.terminateBySystem(now: time.date)
        absorbEvents(of: index)
        phones[index].state.launch(now: time.date)
        absorbEvents(of: index)
    }

    func goOnline(_ index: Int) {
        if !phones[index].state.isOnline { phones[index].onlineSince = time }
        phones[index].state.goOnline(now: time.date)
        absorbEvents(of: index)
    }

    // MARK: What the SDK sees

    /// Turns a phone's events into changes for the server. An app that does not run sees nothing, and looks at
    /// everything at its next launch.
    func absorbEvents(of index: Int) {
        for event in phones[index].state.takeEvents() {
            learn(event, from: index)
            switch event {
            case .launched:
                phones[index].shown = [:]
                // As in EyotKit, a card that was over before is not followed, so its going is not reported.
                for card in phones[index].state.cards where !card.phase.isRunning {
                    phones[index].ended.insert(card.id)
                }
                resume(index)
            case .startToken(let token) where isRunning(index):
                phones[index].report(.setStartToken(type: Self.type, token: token))
            case .cardAppeared(_, let id) where isRunning(index):
                if let card = phones[index].card(id) {
                    phones[index].report(.cardSeen(card))
                    tell(.started, of: card, on: index)
                }
            case .content(let id, _) where isRunning(index) && !phones[index].ended.contains(id):
                if let card = phones[index].card(id) { tell(.contentApplied, of: card, on: index) }
            case .updateToken(let id, let token) where isRunning(index):
                if let card = phones[index].card(id) { phones[index].report(.setUpdateToken(card, token: token)) }
            case .phase(let id, .ended) where isRunning(index): reportEnd(index, id)
            case .phase(let id, .dismissed) where isRunning(index): reportDismissal(index, id, as: .dismissed)
            default: break
            }
        }
    }

    /// Records Apple's new knowledge.
    private func learn(_ event: PhoneEvent, from index: Int) {
        switch event {
        case .startToken(let token): tokens[token] = SimulatedToken(phone: index)
        case .updateToken(let card, let token): tokens[token] = SimulatedToken(phone: index, card: card)
        case .tokenDied(let token, let since): tokens[token]?.diedAt = since
        default: break
        }
    }

    private func isRunning(_ index: Int) -> Bool { phones[index].state.run != .notRunning }

    private func reportEnd(_ index: Int, _ id: String) {
        guard let card = phones[index].card(id), let seen = phones[index].state.card(id) else { return }
        if seen.phase == .dismissed, seen.removedAt == seen.endedAt {
            return reportDismissal(index, id, as: .vanished)
        }
        guard phones[index].ended.insert(id).inserted else { return }
        phones[index].report(.cardEvent(card, .ended))
    }

    /// Reports a dismissal. A card that had ended before disappears by itself; any other was removed by a person.
    private func reportDismissal(_ index: Int, _ id: String, as event: CardEvent) {
        guard let card = phones[index].card(id), phones[index].ended.insert(id).inserted else { return }
        phones[index].dismissed.insert(id)
        phones[index].report(.cardEvent(card, fault == .dismissalsLost ? .ended : event))
    }

    private func resume(_ index: Int) {
        func report(_ action: DeviceChange.Action) {
            if isToReport(action, from: index) { phones[index].report(action) }
        }
        if let token = phones[index].state.startToken { report(.setStartToken(type: Self.type, token: token)) }
        let running = phones[index].state.cards.filter(\.phase.isRunning)
        // As in EyotKit, a card that begins during the look is not in the list and does not count as gone.
        phones[index].report(.running(type: Self.type, instances: running.map(\.id)))
        for running in running {
            guard let card = phones[index].card(running.id) else { continue }
            phones[index].report(.cardSeen(card))
            tell(.contentApplied, of: card, on: index)
            if let token = running.updateToken { report(.setUpdateToken(card, token: token)) }
        }
    }

    /// Tells what a card shows, unless that was told last.
    private func tell(_ event: CardEvent, of card: Card, on index: Int) {
        guard let state = phones[index].state.card(card.instance)?.content.state else { return }
        let digest = StateDigest(of: state)
        guard phones[index].toldDigests.updateValue(digest, forKey: card.instance) != digest else { return }
        phones[index].report(.cardEvent(card, event, digest: digest))
    }

    // MARK: Requests

    func send(from index: Int) throws {
        guard let batch = nextBatch(from: index) else { return }
        // Two clocks differ by less than the time between a push and the phone's next report.
        if hasNodes { try pass(seconds: skew) }
        node.pending.append(.request(phone: index, batch, sentAt: time))
    }

    private func nextBatch(from index: Int) -> DeviceChangeBatch? {
        let phone = phones[index]
        guard !phone.isSending, !phone.outbox.isEmpty, phone.state.isOnline, isRunning(index) else { return nil }
        phones[index].isSending = true
        // A report may leave before the phone has added all its changes.
        let length = random.percent(20) ? 1 + random.below(3) : 20
        return DeviceChangeBatch(epoch: 1, changes: Array(phone.outbox.prefix(length)))
    }

    /// Receives a request at the server, unless it is lost. A request is never delivered after hours.
    func receive(_ batch: DeviceChangeBatch, from index: Int, sentAt: Instant) {
        // The transport takes time, so that the later of two answers, or of a start and an answer, has the later
        // timestamp.
        time = time + 0.001
        let isLost = !isPeace && plan.troubles.contains(.silence) && random.percent(10)
        if isLost || time.seconds(since: sentAt) > Self.requestTime {
            record.note("a request of phone-\(index + 1) is lost")
            return node.pending.append(.answer(phone: index, nil))
        }
        admit(SimulatedReport(phone: index, batch: batch, at: now, history: history))
    }

    /// Lets a phone give up an answer and report again with its newer changes. The second report bypasses the flood and
    /// may be stored first.
    func abandonReports(on index: Int) {
        record.note("phone-\(index + 1) waits no longer for an answer")
        phones[index].isSending = false
        rotate(on: index)
        absorbEvents(of: index)
        guard let batch = nextBatch(from: index) else { return }
        node.pending.append(
            .apply(SimulatedReport(phone: index, batch: batch, at: now, history: history, isAtGate: false)))
    }

    /// Records what the server knows from now on.
    func remember(_ action: DeviceChange.Action, of index: Int) throws {
        switch action {
        case .setStartToken(_, let token): record.buried.remove(token)
        case .setUpdateToken(let card, let token):
            record.buried.remove(token)
            record.told[card.instance] = token
        case .cardEvent(let card, _, let digest?): record.showing[card.instance] = digest
        case .cardEvent(let card, let event, _) where phones[index].dismissed.contains(card.instance):
            guard let replica = try ledger.replica(ofInstance: card.instance, on: phones[index].device),
                let activity = try ledger.activity(replica.activity),
                // Otherwise it may have been Eyot's end.
                event != .vanished || !replica.isEnding(in: activity)
            else { return }
            let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
            record.dismissed[generation, default: [:]][index] = time
        default: break
        }
    }

    /// Receives an answer at the phone; nil for none. Without an answer the outbox stays as it is.
    func receive(_ received: SimulatedAnswer?, at index: Int) throws {
        phones[index].isSending = false
        guard let received, phones[index].state.isOnline, isRunning(index) else { return }
        let answer = received.answer
        let isNew = hear(received.history, at: index)
        confirm(upTo: answer.applied, at: index)
        phones[index].outbox.removeAll { $0.sequence <= answer.applied }
        for state in answer.cards {
            if fault == .endsForgotten, state.ends {
                try forgetEnd(of: state.instance, on: index)
            } else {
                obey(state, on: index)
            }
        }
        absorbEvents(of: index)
        // It registers again, and reports everything.
        if isNew { resume(index) }
    }

    /// Implements the fault `endsForgotten`.
    private func forgetEnd(of instance: String, on index: Int) throws {
        guard var replica = try ledger.replica(ofInstance: instance, on: phones[index].device) else { return }
        replica.phase = .ended
        try ledger.update(replica)
    }

    /// Applies a state as EyotKit's follower of a card does.
    private func obey(_ state: CardState, on index: Int) {
        guard let card = phones[index].state.card(state.instance), card.phase.isRunning else { return }
        let content = state.contentState.map {
            CardContent(state: $0, staleDate: state.staleDate.map { Date(timeIntervalSince1970: Double($0)) })
        }
        let moment = Date(timeIntervalSince1970: state.timestamp)
        if state.ends {
            phones[index].ended.insert(card.id)
            // A late answer may be older than the card's content. The phone's own time is used then.
            for timestamp in [moment, nil] where phones[index].state.card(card.id)?.phase.isRunning == true {
                phones[index].state.end(
                    card: card.id, content: content, dismissal: .standard, timestamp: timestamp, now: time.date)
            }
            if let reported = phones[index].card(card.id) { phones[index].report(.cardEvent(reported, .ended)) }
            record.note("phone-\(index + 1) ends \(state.name) as answered, \(state.contentState?.text ?? "-")")
        } else if state.version > phones[index].shown[card.id] ?? 0, let content, content.state != card.content.state {
            phones[index].shown[card.id] = state.version
            phones[index].state.update(card: card.id, to: content, timestamp: moment, now: time.date)
            let isShown = phones[index].state.card(card.id)?.content == content
            if isShown { record.answered[card.id] = state.timestamp }
            let words = content.state.text + (isShown ? "" : ", in vain")
            record.note("phone-\(index + 1) shows \(state.name) as answered, \(words)")
        }
    }
}

extension DeviceChange.Action {
    /// The change in one word.
    var word: String {
        switch self {
        case .setStartToken: "startToken"
        case .removeStartToken: "noStartToken"
        case .setUpdateToken(let card, _): "token(\(card.name))"
        case .cardSeen(let card): "seen(\(card.name))"
        case .stopTracking(let card): "stop(\(card.name))"
        case .cardEvent(let card, let event, _): "\(event.rawValue)(\(card.name))"
        case .running(_, let instances): "running(\(instances.count))"
        case .identify: "identify"
        case .logout: "logout"
        case .permissions: "permissions"
        case .profile: "profile"
        }
    }
}

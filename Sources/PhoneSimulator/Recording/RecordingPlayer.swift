import EyotContract
import Foundation

/// Plays a recording to a simulated phone, line by line. Recorded actions are repeated; recorded facts show which card
/// is which.
struct RecordingPlayer {
    var replay = RecordingReplay()
    var phone: PhoneState
    /// Cards of the recording that the simulated phone does not have.
    private(set) var strangers: Set<String> = []
    private let recording: Recording
    /// The cards that ActivityKit granted, by launch and number of the request.
    private let granted: [[Int]: String]
    private var launch = 0
    /// Whether the recording has reported the running process.
    private var isProcessKnown = false
    private var listeners: [Listener] = []
    /// Of each card in the recording the simulated one.
    private var simulatedIDs: [String: String] = [:]
    /// Cards that pushes have started and the recording has not named yet, oldest first.
    private var unnamed: [String] = []

    /// A listener to a sequence, which turns elements into facts.
    private struct Listener {
        let sequence: RecordedSequence
        let take: (PhoneEvent) -> (fact: RecordedFact?, isOver: Bool)
    }

    init(_ recording: Recording, _ rules: PhoneRules, os: IOSVersion) {
        self.recording = recording
        let head = recording.head
        var configuration = PhoneConfiguration(
            id: "replay", os: os, bundleID: head.bundleID, types: head.types.map(\.check), rules: rules,
            supportsFrequentUpdates: head.supportsFrequentUpdates)
        if recording.lines.contains(where: { $0.content == .did(.person(.allow)) }) {
            // The recording says when Allow was pressed, so it was not pressed before.
            configuration.settings.allowed = .afterAsking
        }
        phone = PhoneState(configuration)
        granted = Self.granted(in: recording)
    }

    private static func granted(in recording: Recording) -> [[Int]: String] {
        var granted: [[Int]: String] = [:]
        var launch = 0
        for line in recording.lines {
            switch line.content {
            case .did(.launch): launch += 1
            case .saw(.granted(let request, let card, _)): granted[[launch, request]] = card
            default: break
            }
        }
        return granted
    }

    /// The recording's name of each simulated card.
    var names: [String: String] {
        Dictionary(simulatedIDs.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func play() {
        for line in recording.lines {
            advance(to: line.moment)
            switch line.content {
            case .did(let action): perform(action, line)
            case .saw(let fact): learn(from: fact, at: line.moment)
            }
            drain(at: line.moment)
            replay.launches.append(launch)
        }
    }

    func simulated(_ card: String) -> String? { simulatedIDs[card] }

    mutating func note(_ fact: RecordedFact, at moment: Date) {
        // A fact that wakes the app belongs to the launch that the recording reports next.
        let number = fact == .woken ? launch + 1 : launch
        replay.facts.append(.init(moment: moment, launch: number, fact: fact))
    }

    // MARK: Time

    /// Advances the phone step by step, so that each event happens at its own moment.
    private mutating func advance(to moment: Date) {
        while let next = phone.nextMoment, next > phone.time, next <= moment {
            phone.advance(to: next)
            drain(at: next)
        }
        phone.advance(to: moment)
        drain(at: moment)
    }

    /// Delivers the pending events to the listeners.
    mutating func drain(at moment: Date) {
        for event in phone.takeEvents() {
            if case .cardAppeared(_, let card) = event, phone.card(card)?.origin == .remote { unnamed.append(card) }
            switch event {
            case .terminated: listeners = []
            case .launched(_, let reason):
                isProcessKnown = false
                if reason != .person { note(.woken, at: moment) }
            default: pass(event, at: moment)
            }
        }
    }

    private mutating func pass(_ event: PhoneEvent, at moment: Date) {
        var kept: [Listener] = []
        for listener in listeners {
            let (fact, isOver) = listener.take(event)
            if let fact { note(fact, at: moment) }
            if isOver { note(.over(listener.sequence), at: moment) } else { kept.append(listener) }
        }
        listeners = kept
    }

    // MARK: Processes

    /// Begins a process of the recording. A push may already have begun it here, too.
    mutating func begin(_ run: AppRun, now: Date) {
        if phone.run != .notRunning, isProcessKnown { endUnseen(now: now) }
        launch += 1
        if run == .foreground {
            phone.launch(now: now)
        } else if phone.run == .notRunning {
            phone.begin(.background, .person)
        }
        drain(at: now)
        isProcessKnown = true
    }

    /// Ends the previous process some time after its last line. Facts since then are dropped, because the recording has
    /// none to compare with.
    private mutating func endUnseen(now: Date) {
        phone.terminateBySystem(now: now)
        drain(at: now)
        let index = replay.launches.count - 1
        guard index >= 0 else { return }
        let last = recording.lines[index].moment
        replay.facts.removeAll { $0.launch == launch && $0.moment > last }
    }

    mutating func request(_ request: CardRequest, _ number: Int, now: Date) {
        do throws(CardRefusal) {
            let id = try phone.request(request, now: now)
            if let name = granted[[launch, number]] { simulatedIDs[name] = id }
            note(.granted(request: number, card: id, hasToken: phone.card(id)?.updateToken != nil), at: now)
        } catch {
            note(.refused(request: number, error: error.rawValue), at: now)
        }
    }

    // MARK: Recorded facts

    private mutating func learn(from fact: RecordedFact, at now: Date) {
        switch fact {
        case .card(let type, let card): meet(card, type: type)
        case .there(let type, let cards):
            for card in cards { meet(card, type: type) }
            note(.there(type: type, cards: phone.cards(ofType: type).map(\.id)), at: now)
        // Only the person changes these switches, so the observed value shows the action.
        case .activitiesEnabled(let isOn): change(activitiesEnabled: isOn, now: now)
        case .frequentPushesEnabled(let isOn): change(frequentPushesEnabled: isOn, now: now)
        default: if let card = fact.card, simulatedIDs[card] == nil { strangers.insert(card) }
        }
    }

    /// A card that the recording names for the first time is the oldest one of its type that a push has started.
    private mutating func meet(_ card: String, type: String) {
        guard simulatedIDs[card] == nil else { return }
        if let index = unnamed.firstIndex(where: { phone.card($0)?.type == type }) {
            simulatedIDs[card] = unnamed.remove(at: index)
        } else {
            strangers.insert(card)
        }
    }

    mutating func change(activitiesEnabled: Bool? = nil, frequentPushesEnabled: Bool? = nil, now: Date) {
        var settings = phone.settings
        settings.activitiesEnabled = activitiesEnabled ?? settings.activitiesEnabled
        settings.frequentPushesEnabled = frequentPushesEnabled ?? settings.frequentPushesEnabled
        guard settings != phone.settings else { return }
        phone.change(settings: settings, now: now)
        drain(at: now)
    }

    // MARK: Listening

    mutating func add<Element>(
        _ sequence: RecordedSequence, _ source: PhoneSequence<Element>, _ now: Date,
        fact: @escaping (Element) -> RecordedFact
    ) {
        guard phone.run != .notRunning else { return }
        let start = source.start(phone)
        for element in start.elements { note(fact(element), at: now) }
        guard !start.isOver else { return note(.over(sequence), at: now) }
        listeners.append(
            Listener(sequence: sequence) { event in
                switch source.step(event) {
                case .skip: (nil, false)
                case .yield(let element): (fact(element), false)
                case .last(let element): (fact(element), true)
                case .finish: (nil, true)
                }
            })
    }
}

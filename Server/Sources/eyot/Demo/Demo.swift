import EyotContract
import EyotLab
import Foundation
import PhoneSimulator

/// A match that is played on a lab's phones, with a final check of each phone.
struct Demo {
    /// The activity's name.
    static let name = "final"
    /// How many seconds the phones may take to register, and to show the end.
    static let patience = 20.0

    let lab: Lab
    let match: Match
    let script: MatchScript
    let cast: DemoCast
    /// How many seconds the script takes from kick-off to its end.
    let length: Double
    let display: DemoDisplay
    private var phones: [LabPhone] = []
    private var accepted: [DemoMeasurement.Accepted] = []

    init(lab: Lab, match: Match, cast: DemoCast, length: Double, display: DemoDisplay) {
        self.lab = lab
        self.match = match
        self.cast = cast
        self.length = length
        self.display = display
        script = MatchScript(match)
    }

    /// Plays the match to its end.
    mutating func play() async throws -> DemoReport {
        display.line("\(match.home) – \(match.away), \(match.round), \(match.date)")
        try await prepare()
        try await playScript()
        showProgress()
        let isComplete = try await within(seconds: Self.patience) { [lab, phones, cast, finalState] in
            try await lab.until { DemoCheck.differences(phones, cast, finalState).isEmpty }
        }
        showProgress()
        display.keep()
        let differences = isComplete ? [] : DemoCheck.differences(phones, cast, finalState)
        let activity = try await lab.api.call("GET", APIClient.path("v1", "activities", Self.name))
        let measurement = DemoMeasurement(phones: phones, cast: cast, script: script, accepted: accepted)
        return DemoReport(
            cast: cast, tally: activity.body.object?["tally"]?.object ?? JSONObject(), ages: measurement.ages,
            deadTokens: lab.deadTokenAnswers, differences: differences)
    }

    private var finalState: JSONValue? { script.steps.last?.state.json }

    // MARK: Before the match

    private mutating func prepare() async throws {
        display.status("registering 0 of \(cast.parts.count) phones")
        var options = PhoneOptions()
        options.os = IOSVersion(18, 1)
        for entrance in DemoCast.Entrance.allCases {
            options.tags = [entrance == .remote ? "fans" : entrance == .local ? "regulars" : "latecomers"]
            options.isLaunched = entrance != .late
            phones += try await lab.addPhones(cast.count(entrance), options)
            display.status("registering \(phones.count) of \(cast.parts.count) phones")
        }
        for (phone, part) in zip(phones, cast.parts) where part.incident == .neverAllows {
            phone.changeSettings { $0.allowed = .never }
        }
        let isReady = try await within(seconds: Self.patience) { [lab, cast] in
            try await lab.untilStartable(cast.count(.remote), tag: "fans")
        }
        guard isReady else { throw CommandFailure("not all phones were registered within \(Int(Self.patience)) s") }
        display.line("\(cast.parts.count - cast.count(.late)) phones are registered, \(cast.count(.late)) come later")
    }

    // MARK: The match

    private mutating func playScript() async throws {
        let clock = ContinuousClock()
        let kickOff = clock.now
        for (moment, event) in DemoTimeline(script, cast).events {
            let due = kickOff + .seconds(moment * length)
            while clock.now < due {
                showProgress()
                try await clock.sleep(until: min(due, clock.now + display.interval))
            }
            try await perform(event)
        }
    }

    private mutating func perform(_ event: DemoTimeline.Event) async throws {
        switch event {
        case .step(let number): try await declare(number)
        case .latecomers:
            for (phone, part) in zip(phones, cast.parts) where part.entrance == .late {
                phone.launch()
                try startLocally(on: phone)
            }
            display.line("85'     \(cast.count(.late)) latecomers open the app and follow the match")
        case .begins(let number): try await begin(cast.parts[number].incident, on: phones[number])
        case .ends(let number):
            if cast.parts[number].incident == .quits { phones[number].launch() } else { phones[number].goOnline() }
        }
    }

    private func begin(_ incident: DemoCast.Incident?, on phone: LabPhone) async throws {
        let hasCard = try await within(seconds: Self.patience) { [lab] in
            try await lab.until { phone.state.cards.contains { $0.updateToken != nil } }
        }
        guard hasCard else { throw CommandFailure("\(phone.id) has no card with a token yet") }
        switch incident {
        case .rotates: try phone.rotateToken(.name(Self.name))
        case .quits: phone.forceQuit()
        case .offlineForAWhile, .offlineAtEnd: phone.goOffline()
        case .dismisses: try phone.dismiss(.name(Self.name))
        case .neverAllows, nil: break
        }
    }

    private mutating func declare(_ number: Int) async throws {
        let step = script.steps[number]
        var body = JSONObject([("contentState", step.state.json)])
        body["alert"] = step.alert.map { ["title": .string($0.title), "body": .string($0.body)] }
        let verb: String
        switch step.kind {
        case .start:
            verb = "start"
            body["type"] = "MatchAttributes"
            body["attributes"] = attributes
            body["audience"] = ["tag": "fans"]
            for (phone, part) in zip(phones, cast.parts) where part.entrance == .local { try startLocally(on: phone) }
        case .update: verb = "update"
        case .end: verb = "end"
        }
        let answer = try await lab.api.call(
            "POST", APIClient.path("v1", "activities", Self.name, verb), body: .object(body))
        guard answer.isSuccess else { throw CommandFailure("\(verb) of \(Self.name): \(answer.problem)") }
        accepted.append(.init(version: answer.body.object?["version"]?.integer ?? 0, time: lab.now))
        display.step(step, home: match.home, away: match.away)
    }

    private var attributes: JSONValue {
        ["eyotActivityName": .string(Self.name), "home": .string(match.home), "away": .string(match.away)]
    }

    /// Starts the card in the app with the state of the kick-off.
    private func startLocally(on phone: LabPhone) throws {
        guard let kickOff = script.steps.first else { return }
        try phone.start(LocalStart(type: "MatchAttributes", attributes: attributes, contentState: kickOff.state.json))
    }

    private func showProgress() {
        guard display.isTerminal, let last = accepted.indices.last else { return }
        let board = DemoBoard(
            home: match.home, away: match.away, step: script.steps[last], phones: phones.map(\.state))
        display.show(board.lines(on: display.terminal))
    }
}

import APNSWire
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

/// The type that the tests' app has.
struct MatchAttributes: ActivityAttributes, EyotActivityAttributes {
    struct ContentState: Codable, Hashable {
        var score: Int
    }

    var home: String
    var eyotActivityName: String?
}

/// A simulated phone with the SDK on it, a server, and a clock that all three go by.
final class Rig: Sendable {
    let clock = ManualClock()
    let server = ScriptedServer()
    let phone: SimulatedPhone
    /// What the system says to the app.
    let signals = ScriptedSignals()
    let directory: URL
    /// What a phone does where a test says nothing of it.
    @TaskLocal static var rules = PhoneRules()
    /// By how much the phone's clock, which is the SDK's, is ahead of true time.
    let clockSkew = Guarded(0.0)
    private let os: IOSVersion
    private let cardsOnLogout: EyotConfiguration.CardsOnLogout

    init(
        os: IOSVersion = IOSVersion(18, 1), clockSkew: Double = 0, types: [String] = ["MatchAttributes"],
        cardsOnLogout: EyotConfiguration.CardsOnLogout = .end, rules: PhoneRules = Rig.rules
    ) {
        self.os = os
        self.cardsOnLogout = cardsOnLogout
        var settings = PhoneSettings()
        settings.clockSkew = clockSkew
        self.clockSkew.withLock { $0 = clockSkew }
        phone = SimulatedPhone(
            PhoneConfiguration(
                id: "phone-1", os: os, bundleID: "com.example.match", types: types.map(PayloadCheck.anyObject),
                settings: settings, rules: rules),
            clock: { [clock] in clock.now() })
        if rules.startTokenMoment == .firstLaunchAfterReboot { phone.reboot() }
        directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("eyotkit-\(UUID().uuidString)", isDirectory: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    var configuration: EyotConfiguration {
        EyotConfiguration(
            server: URL(string: "https://eyot.example") ?? URL(fileURLWithPath: "/"), appKey: "app-key",
            environment: .sandbox,
            bundleID: "com.example.match", appVersion: "1.0 (1)", directory: directory,
            capabilities: Capabilities(iOS: os.major, os.minor), cardsOnLogout: cardsOnLogout, log: { _ in })
    }

    /// One launch of the app: the SDK runs while `body` does. Afterwards the process is dead; nothing was said goodbye.
    func launch(
        as configuration: EyotConfiguration? = nil, on server: ScriptedServer? = nil,
        _ body: (Eyot) async throws -> Void
    ) async throws {
        let eyot = Eyot(
            configuration: configuration ?? self.configuration, transport: server ?? self.server,
            clock: PhoneClock(clock: clock, skew: clockSkew), signals: signals, chance: { 0 })
        try await PhoneProcess.$current.withValue(phone.launch()) {
            let running = Task { await eyot.run() }
            do {
                try await Eyot.$heard.withValue(eyot.events) { try await body(eyot) }
            } catch {
                phone.terminateBySystem()
                running.cancel()
                await running.value
                throw error
            }
            phone.terminateBySystem()
            running.cancel()
            await running.value
        }
    }

    /// Sets the phone's clock ahead of the true time, in seconds.
    func setClock(ahead seconds: Double) {
        clockSkew.withLock { $0 = seconds }
        phone.changeSettings { $0.clockSkew = seconds }
    }

    /// Starts a card from within the app.
    func request(_ name: String?, score: Int = 0, home: String = "ARG") throws -> Activity<MatchAttributes> {
        defer { clock.advance(by: phone.configuration.rules.tokenDelay) }
        return try Activity.request(
            attributes: MatchAttributes(home: home, eyotActivityName: name),
            content: ActivityContent(state: MatchAttributes.ContentState(score: score), staleDate: nil),
            pushType: .token)
    }

    /// Pushes to a token, with a timestamp some seconds from now.
    @discardableResult
    func push(
        to token: PushToken?, _ event: LiveActivityEvent, score: Int, name: String? = nil, after seconds: Int = 0
    ) throws -> PushEffect {
        let payload = LiveActivityPayload(
            event: event, contentState: ["score": .integer(score)],
            attributesType: event == .start ? "MatchAttributes" : nil,
            attributes: event == .start
                ? ["home": "ARG", "eyotActivityName": name.map(JSONValue.string) ?? .null] : nil,
            alert: event == .start ? ["title": "Kick-off", "body": "Now"] : nil, inputPushToken: event == .start)
        var (body, offset) = payload.render()
        let digits = Array(String(Int(clock.now().timeIntervalSince1970) + seconds).utf8)
        body.replaceSubrange(offset..<offset + LiveActivityPayload.timestampDigits, with: digits)
        defer { if event == .start { clock.advance(by: phone.configuration.rules.tokenDelay) } }
        return phone.receive(
            DeliveredPush(
                token: try #require(token), topic: "com.example.match.push-type.liveactivity", payload: body))
    }

    /// The card with this name, as the phone shows it.
    func card(_ id: String) throws -> SimulatedCard { try #require(phone.state.card(id)) }
}

extension Eyot {
    /// The events of the launch that a test is in.
    @TaskLocal static var heard = AsyncStream<EyotEvent> { $0.finish() }

    /// Waits for an event; those before it are passed over.
    @discardableResult
    func event(where condition: (EyotEvent) -> Bool) async throws -> EyotEvent {
        for await event in Self.heard where condition(event) { return event }
        throw CancellationError()
    }

    /// Waits for a problem.
    func problem(where condition: (EyotProblem) -> Bool) async throws {
        try await event {
            guard case .problem(let problem) = $0 else { return false }
            return condition(problem)
        }
    }
}

extension EyotEvent {
    /// Whether this card is followed from now on.
    func isFollowed(_ instance: String) -> Bool {
        if case .card(let card, .followed) = self { card.instance == instance } else { false }
    }

    /// Whether a card of this name is followed from now on.
    func follows(_ name: String) -> Bool {
        if case .card(let card, .followed) = self { card.name == name } else { false }
    }

    /// Whether this card is not followed any more.
    func isForgotten(_ instance: String) -> Bool {
        if case .card(let card, .forgotten) = self { card.instance == instance } else { false }
    }
}

extension DeviceChange.Action {
    /// Token and instance, where this sets an update token.
    var updateToken: (instance: String, token: PushToken)? {
        guard case .setUpdateToken(let card, let token) = self else { return nil }
        return (card.instance, token)
    }

    /// The token, where this sets a start token.
    var startToken: PushToken? {
        guard case .setStartToken(_, let token) = self else { return nil }
        return token
    }

    /// What happened to which card, where this says so.
    var cardEvent: (instance: String, event: CardEvent)? {
        guard case .cardEvent(let card, let event, _) = self else { return nil }
        return (card.instance, event)
    }

    /// Whether this says that something happened to a card.
    func isEvent(_ event: CardEvent, of instance: String) -> Bool {
        cardEvent.map { $0 == (instance, event) } ?? false
    }
}

extension SimulatedPhone {
    /// Waits until a card is not in view any more.
    func untilGone(_ card: String) async {
        while !Task.isCancelled, state.card(card)?.phase != .dismissed { await Task.yield() }
    }
}

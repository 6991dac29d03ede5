import APNSSender
import APNSSimulator
import APNSWire
import Crypto
import EyotContract
import Foundation
import Logging
import Synchronization

/// A sender that faces a simulator over TLS, with one clock for both unless told otherwise.
final class Rig: Sendable {
    static let bundleID = "com.example.football"
    static let start = Date(timeIntervalSince1970: 1_671_375_600)

    let time = SharedTime(Rig.start)
    let simulatorTime: SharedTime
    let phones = Phones()
    let simulator: APNSSimulator
    let sender: APNSSender
    let key: ProviderKey

    init(
        simulatorTime: SharedTime? = nil, sender adjustSender: (inout APNSSenderConfiguration) -> Void = { _ in },
        simulator adjustSimulator: (inout APNSSimulatorConfiguration) -> Void = { _ in }
    ) async throws {
        let secret = P256.Signing.PrivateKey()
        key = try ProviderKey(teamID: "TEAM000001", keyID: "KEY0000001", privateKey: secret)
        let time = time
        let simulatorTime = simulatorTime ?? time
        self.simulatorTime = simulatorTime
        var apple = APNSSimulatorConfiguration(teams: [
            APNSTeam(
                id: key.teamID, bundleIDs: [Self.bundleID],
                keys: [APNSTeamKey(id: key.keyID, publicKey: secret.publicKey)])
        ])
        apple.now = { simulatorTime.now }
        apple.limits.handshake = .seconds(300)
        adjustSimulator(&apple)
        simulator = try await APNSSimulator.start(apple, receiver: phones)
        var ours = Self.configuration(for: simulator)
        ours.now = { time.now }
        adjustSender(&ours)
        sender = try Self.withAuthority(of: simulator) { file throws(APNSSenderError) in
            ours.trust = .authorities(pemFile: file)
            return try APNSSender(ours)
        }
    }

    /// A sender reads the authorities' file when it is made; the file is gone afterwards.
    static func withAuthority<Result>(
        of simulator: APNSSimulator, _ body: (String) throws(APNSSenderError) -> Result
    ) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).pem").path
        try simulator.writeCertificateAuthority(to: file)
        defer { try? FileManager.default.removeItem(atPath: file) }
        return try body(file)
    }

    static func configuration(for simulator: APNSSimulator) -> APNSSenderConfiguration {
        var configuration = APNSSenderConfiguration()
        configuration.sandboxURL = simulator.sandboxURL
        configuration.productionURL = simulator.productionURL
        configuration.sandboxBroadcastURL = simulator.url(of: APNSEndpoint(.broadcast, .sandbox))
        configuration.productionBroadcastURL = simulator.url(of: APNSEndpoint(.broadcast, .production))
        configuration.sandboxChannelsURL = simulator.url(of: APNSEndpoint(.channels, .sandbox))
        configuration.productionChannelsURL = simulator.url(of: APNSEndpoint(.channels, .production))
        configuration.backOff = BackOff(first: .zero, longest: .zero)
        // Long enough for a thousand pushes in a debug build on a busy machine; tests of the time have a manual clock.
        configuration.pageTimeout = .seconds(300)
        configuration.logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return configuration
    }

    func stop() async {
        await sender.shutdown()
        await simulator.shutdown()
    }

    /// A page of pushes to different tokens.
    static func page(
        _ count: Int, first: Int = 0, environment: PushEnvironment = .sandbox, isRepeatable: Bool = true
    ) -> PushPage {
        let payload = LiveActivityPayload(event: .update, contentState: ["home": 3, "away": 3])
        let (body, offset) = payload.render()
        let template = PushTemplate(
            topic: bundleID + ".push-type.liveactivity", priority: .immediate, expiration: 0, body: body,
            timestampOffset: offset, isRepeatable: isRepeatable)
        var page = PushPage(environment: environment, templates: [template])
        for index in first..<first + count {
            guard let token = PushToken(bytes: token(index)) else { continue }
            page.append(token: token, template: 0, id: APNSID(high: 0x4000, low: 1 << 63 | UInt64(index)))
        }
        return page
    }

    static func token(_ index: Int) -> [UInt8] {
        (0..<80).map { UInt8(truncatingIfNeeded: index >> (8 * ($0 % 4)) ^ $0 / 4) }
    }

    /// The payload as a phone must get it when it leaves in the second of `time`.
    static func payload(at time: Date) -> [UInt8] {
        let second = Int(time.timeIntervalSince1970)
        return Array(
            #"{"aps":{"timestamp":\#(second),"event":"update","content-state":{"home":3,"away":3}}}"#.utf8)
    }
}

/// A wall clock for tests, moved by hand.
final class SharedTime: Sendable {
    private let time: Mutex<Date>
    init(_ time: Date) { self.time = Mutex(time) }
    var now: Date { time.withLock { $0 } }
    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// Phones that take everything, but for the tokens that are said to be dead or to get no answer.
final class Phones: PushReceiver {
    private struct State {
        var pushes: [ReceivedPush] = []
        var broadcasts: [ReceivedBroadcast] = []
        var unlucky: [PushToken: PushReception] = [:]
        var onReception: (@Sendable () -> Void)?
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var received: [ReceivedPush] { state.withLock { $0.pushes } }
    var heard: [ReceivedBroadcast] { state.withLock { $0.broadcasts } }

    /// Called for every push that comes.
    var onReception: (@Sendable () -> Void)? {
        get { state.withLock { $0.onReception } }
        set { state.withLock { $0.onReception = newValue } }
    }

    func bury(_ token: [UInt8], _ reason: APNSReason, since: Date? = nil) {
        meet(token, with: .refused(reason, deadSince: since))
    }

    /// Nothing is said to pushes for this token, whichever connection brings them.
    func keepSilent(about token: [UInt8]) { meet(token, with: .unanswered) }

    private func meet(_ token: [UInt8], with reception: PushReception) {
        guard let token = PushToken(bytes: token) else { return }
        state.withLock { $0.unlucky[token] = reception }
    }

    func receive(_ broadcast: ReceivedBroadcast) { state.withLock { $0.broadcasts.append(broadcast) } }

    func receive(_ push: ReceivedPush) -> PushReception {
        onReception?()
        let (reception, watchers) = state.withLock { state -> (PushReception, [CheckedContinuation<Void, Never>]) in
            if let reception = state.unlucky[push.token] { return (reception, []) }
            state.pushes.append(push)
            let ready = state.watchers.filter { $0.count <= state.pushes.count }
            state.watchers.removeAll { $0.count <= state.pushes.count }
            return (.accepted, ready.map(\.continuation))
        }
        for watcher in watchers { watcher.resume() }
        return reception
    }

    /// Returns when at least the given number of pushes have come.
    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.pushes.count >= count { return true }
                state.watchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}

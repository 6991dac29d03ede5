import APNSSimulator
import APNSWire
import Crypto
import EyotContract
import Foundation
import Synchronization

/// A simulator with two teams, three keys, a clock that stands still, and a list of what reached the phones.
final class Apple: Sendable {
    static let now = Date(timeIntervalSince1970: 1_671_375_600)
    static let team = "TEAM000001"
    static let bundleID = "com.example.football"
    static let topic = bundleID + ".push-type.liveactivity"
    static let token = String(repeating: "0a1b2c3d", count: 20)
    static let payload = Array(
        #"{"aps":{"timestamp":1671375600,"event":"update","content-state":{"home":3,"away":3}}}"#.utf8)

    let key = P256.Signing.PrivateKey()
    let secondKey = P256.Signing.PrivateKey()
    let sandboxOnlyKey = P256.Signing.PrivateKey()
    let otherTeamsKey = P256.Signing.PrivateKey()
    let simulator: APNSSimulator
    let phones = Phones()

    init(_ adjust: (inout APNSSimulatorConfiguration) -> Void = { _ in }) async throws {
        var configuration = APNSSimulatorConfiguration(teams: [
            APNSTeam(
                id: Self.team, bundleIDs: [Self.bundleID],
                keys: [
                    APNSTeamKey(id: "KEY0000001", publicKey: key.publicKey),
                    APNSTeamKey(id: "KEY0000002", publicKey: secondKey.publicKey),
                    APNSTeamKey(id: "KEY0000003", publicKey: sandboxOnlyKey.publicKey, environments: [.sandbox]),
                ]),
            APNSTeam(
                id: "TEAM000002", bundleIDs: ["com.example.chess"],
                keys: [APNSTeamKey(id: "KEY0000009", publicKey: otherTeamsKey.publicKey)]),
        ])
        let clock = SharedTime(Self.now)
        configuration.now = { clock.now }
        configuration.limits.handshake = .seconds(300)  // a busy machine is no hostile client
        adjust(&configuration)
        sharedTime = clock
        simulator = try await APNSSimulator.start(configuration, receiver: phones)
    }

    private let sharedTime: SharedTime
    private let usual = Mutex<[Date: String]>([:])

    func advance(by seconds: TimeInterval) { sharedTime.advance(by: seconds) }

    func connect(_ environment: PushEnvironment = .sandbox) async throws -> RawClient {
        try await connect(to: APNSEndpoint(.push, environment))
    }

    func connect(to endpoint: APNSEndpoint) async throws -> RawClient {
        try await RawClient.connect(to: simulator.url(of: endpoint), authority: simulator.certificateAuthority)
    }

    /// A provider token, right unless told otherwise.
    func jwt(
        header: String? = nil, claims: String? = nil, key: P256.Signing.PrivateKey? = nil, keyID: String = "KEY0000001",
        team: String = Apple.team, age: TimeInterval = 0, isDER: Bool = false
    ) throws -> String {
        let issued = Int(sharedTime.now.timeIntervalSince1970 - age)
        let header = header ?? #"{"alg":"ES256","kid":"\#(keyID)"}"#
        let claims = claims ?? #"{"iss":"\#(team)","iat":\#(issued)}"#
        let signed = "\(Self.base64URL(header.utf8)).\(Self.base64URL(claims.utf8))"
        let signature = try (key ?? self.key).signature(for: Array(signed.utf8))
        return "\(signed).\(Self.base64URL(isDER ? signature.derRepresentation : signature.rawRepresentation))"
    }

    /// The token that pushes carry unless told otherwise: the same for as long as the clock stands still, since each
    /// signature is a new one.
    private func usualJWT() throws -> String {
        let second = sharedTime.now
        if let jwt = usual.withLock({ $0[second] }) { return jwt }
        let jwt = try jwt()
        usual.withLock { $0[second] = jwt }
        return jwt
    }

    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The headers of a push that is accepted, with changes: a value replaces or adds a header, nil takes it away.
    func headers(jwt: String? = nil, token: String = Apple.token, _ changes: [String: String?] = [:]) throws
        -> [(String, String)]
    {
        Self.change(
            [
                (":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", "/3/device/\(token)"),
                ("authorization", "bearer \(try jwt ?? usualJWT())"), ("apns-topic", Self.topic),
                ("apns-push-type", "liveactivity"), ("apns-priority", "10"), ("apns-expiration", "0"),
            ], changes)
    }

    /// The headers of a request about channels.
    func channelHeaders(
        _ method: String, _ suffix: String = "channels", bundleID: String = Apple.bundleID, channel: String? = nil,
        changes: [String: String?] = [:]
    ) throws -> [(String, String)] {
        let headers = [
            (":method", method), (":scheme", "https"), (":authority", "localhost"),
            (":path", "/1/apps/\(bundleID)/\(suffix)"), ("authorization", "bearer \(try usualJWT())"),
        ]
        return Self.change(headers + (channel.map { [("apns-channel-id", $0)] } ?? []), changes)
    }

    /// The headers of a broadcast that is accepted, with changes.
    func broadcastHeaders(
        _ channel: String, bundleID: String = Apple.bundleID, _ changes: [String: String?] = [:]
    ) throws -> [(String, String)] {
        Self.change(
            [
                (":method", "POST"), (":scheme", "https"), (":authority", "localhost"),
                (":path", "/4/broadcasts/apps/\(bundleID)"), ("authorization", "bearer \(try usualJWT())"),
                ("apns-channel-id", channel), ("apns-push-type", "liveactivity"), ("apns-priority", "10"),
                ("apns-expiration", "0"),
            ], changes)
    }

    /// Makes a channel and answers its id.
    func makeChannel(storing storage: Int = 0, in environment: PushEnvironment = .sandbox) async throws -> String {
        let client = try await connect(to: APNSEndpoint(.channels, environment))
        let response = try await client.send(channelHeaders("POST"), body: Self.channelBody(storing: storage))
        return response.headers["apns-channel-id"] ?? ""
    }

    static func channelBody(storing storage: Int) -> [UInt8] {
        Array(#"{"message-storage-policy":\#(storage),"push-type":"LiveActivity"}"#.utf8)
    }

    private static func change(
        _ headers: [(String, String)], _ changes: [String: String?]
    ) -> [(String, String)] {
        var headers = headers
        for (name, value) in changes {
            if let index = headers.firstIndex(where: { $0.0 == name }) {
                if let value { headers[index].1 = value } else { headers.remove(at: index) }
            } else if let value {
                headers.append((name, value))
            }
        }
        return headers
    }
}

/// A clock for tests, moved by hand.
final class SharedTime: Sendable {
    private let time: Mutex<Date>
    init(_ time: Date) { self.time = Mutex(time) }
    var now: Date { time.withLock { $0 } }
    func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// Phones that take everything, but for the tokens that are said to be dead.
final class Phones: PushReceiver {
    private let pushes = Mutex<[ReceivedPush]>([])
    private let broadcasts = Mutex<[ReceivedBroadcast]>([])
    private let receptions = Mutex<[PushToken: PushReception]>([:])

    var received: [ReceivedPush] { pushes.withLock { $0 } }
    var heard: [ReceivedBroadcast] { broadcasts.withLock { $0 } }

    func bury(_ token: String, _ reason: APNSReason, since: Date? = nil) {
        receive(token, as: .refused(reason, deadSince: since))
    }

    /// From now on this is said of a token.
    func receive(_ token: String, as reception: PushReception) {
        guard let token = PushToken(hex: token) else { return }
        receptions.withLock { $0[token] = reception }
    }

    func receive(_ push: ReceivedPush) -> PushReception {
        if let known = receptions.withLock({ $0[push.token] }) { return known }
        pushes.withLock { $0.append(push) }
        return .accepted
    }

    func receive(_ broadcast: ReceivedBroadcast) { broadcasts.withLock { $0.append(broadcast) } }
}

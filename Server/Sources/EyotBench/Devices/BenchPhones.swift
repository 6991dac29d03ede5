import EyotCommands
import EyotContract
import EyotDomain

/// Phones that have a running card of one activity, a start token and a secret, and the calls that the SDK makes for
/// them. Phones are numbered from 1.
struct BenchPhones: Sendable {
    static let activity = "final"

    private let secrets: [Secret]

    var count: Int { secrets.count }

    /// Fills a new store with phones.
    init(_ count: Int, in bench: BenchStore) async throws {
        try await bench.fill(Self.activity, replicas: count)
        secrets = try await bench.equip(count)
    }

    /// Returns the call that reports a change.
    ///
    /// - Parameters:
    ///   - phone: the phone's number.
    ///   - sequence: higher than in the phone's earlier reports.
    ///   - path: another path than that of the device plane.
    func report(
        _ action: DeviceChange.Action, of phone: Int, sequence: Int, to path: String = DeviceRoute.changes.rawValue
    ) -> [UInt8] {
        let batch = DeviceChangeBatch(epoch: 1, changes: [DeviceChange(sequence: sequence, action: action)])
        return HTTPCall.post(path, batch.json.text, bearer: secrets[phone - 1].text)
    }

    /// Returns the call that registers a new phone.
    static func register(_ number: Int) -> [UInt8] {
        let registration = DeviceRegistration(
            installation: "new-phone-\(number)", environment: .production, bundleID: BenchStore.bundleID,
            osVersion: "18.1", appVersion: "1.0 (1)", sdkVersion: "1.0",
            permissions: DevicePermissions(activities: true, frequentPushes: true), user: "user-\(number)",
            language: "en")
        return HTTPCall.post(DeviceRoute.register.rawValue, registration.json.text, bearer: BenchStore.publicKey)
    }

    /// A start token that no phone has had before.
    static func startToken(_ number: Int) throws -> DeviceChange.Action {
        .setStartToken(type: BenchStore.type, token: try token(BenchStore.startToken(-number)))
    }

    /// The token of a phone's card, which no card has had before.
    static func cardToken(_ number: Int, of phone: Int) throws -> DeviceChange.Action {
        .setUpdateToken(card(of: phone), token: try token(BenchStore.token(-number)))
    }

    /// The card of a phone shows a state.
    static func shown(_ number: Int, on phone: Int) -> DeviceChange.Action {
        .cardEvent(card(of: phone), .contentApplied, digest: StateDigest(of: ["n": .integer(number)]))
    }

    /// The app begins, and nothing has changed: the card still runs.
    static func nothingNew(on phone: Int) -> DeviceChange.Action {
        .running(type: BenchStore.type, instances: [BenchStore.instance(phone)])
    }

    private static func card(of phone: Int) -> Card {
        Card(instance: BenchStore.instance(phone), name: activity, type: BenchStore.type)
    }

    private static func token(_ bytes: [UInt8]) throws -> PushToken {
        guard let token = PushToken(bytes: bytes) else { throw BenchError.missing("a token of \(bytes.count) bytes") }
        return token
    }
}

extension BenchStore {
    /// Gives the phones of a filled activity secrets and start tokens.
    ///
    /// - Parameter phones: all phones of the store. Their ids are the numbers from 1.
    fileprivate func equip(_ phones: Int) async throws -> [Secret] {
        let (app, now) = (app, clock.now)
        let secrets = (0..<phones).map { _ in Keyring.make(.deviceSecret) }
        for first in stride(from: 0, to: phones, by: Self.rowsPerTransaction) {
            try await store.write { ledger in
                for index in first..<min(first + Self.rowsPerTransaction, phones) {
                    let device = DeviceID(rawValue: Int64(index + 1))
                    try ledger.setSecret(secrets[index].hash, of: device)
                    guard let token = PushToken(bytes: Self.startToken(index + 1)) else { continue }
                    try ledger.put(
                        StartToken(
                            device: device, type: Self.type, token: token, environment: .production, setAt: now),
                        in: app)
                }
            }
        }
        return secrets.map(\.secret)
    }
}

import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

/// A push as it came to a phone.
struct SettingsPush: Sendable {
    var second: Int
    var event: String
    var priority: Int
    var aps: JSONObject

    /// The number that its state carries.
    var state: Int? { aps["content-state"]?.object?["n"]?.integer }
    /// The title of its alert.
    var title: String? { aps["alert"]?.object?["title"]?.string }
}

/// A phone that keeps what came to it, and tells of its cards as the SDK does.
struct SettingsPhone: Sendable {
    struct OwnCard: Sendable {
        var card: Card
        var token: PushToken?
        /// What it follows instead of having a token.
        var channel: String?
    }

    var device: DeviceID
    var startToken: PushToken
    var cards: [OwnCard] = []
    var pushes: [SettingsPush] = []

    /// Members of attributes by which apps name a card.
    private static let names = ["eyotActivityName", "netmeraGroupId", "brazeActivityId", "insiderLiveActivityId"]

    /// The card that a start leads to.
    ///
    /// - Parameter number: tells tokens of cards apart.
    mutating func begin(_ aps: JSONObject, number: Int) {
        let attributes = aps["attributes"]?.object
        let name = Self.names.compactMap { attributes?[$0]?.string }.first ?? "m"
        let card = Card(instance: "card-\(device.rawValue)-\(number)", name: name, type: "Match")
        let channel = aps["input-push-channel"]?.string
        let token = channel == nil ? PushToken(bytes: [1, UInt8(number >> 8), UInt8(number & 255)]) : nil
        cards.append(OwnCard(card: card, token: token, channel: channel))
    }

    /// Tells the server of a card.
    func report(_ own: OwnCard, to ledger: any Ledger, at now: Instant) throws {
        try send(own.token.map { .setUpdateToken(own.card, token: $0) } ?? .cardSeen(own.card), to: ledger, at: now)
    }

    func send(_ action: DeviceChange.Action, to ledger: any Ledger, at now: Instant) throws {
        guard let known = try ledger.device(device) else { return }
        let change = DeviceChange(sequence: known.sequence + 1, action: action)
        _ = try ApplyChanges(Transaction(ledger, at: now))(
            DeviceChangeBatch(epoch: known.epoch, changes: [change]), of: device)
    }
}

import EyotContract
import EyotDomain

/// The data of another service about one phone: a line of an import.
package struct TokenLine: Sendable {
    package var installation: String
    var user: String?
    var environment: PushEnvironment
    var osVersion: OSVersion
    var appVersion: String
    var type: String
    var startToken: PushToken?
    var card: (card: Card, token: PushToken)?
    /// Whether the line identifies the phone's card.
    private var hasInstance = false

    /// The oldest system that a phone can have if it has a start token, or a card's token.
    private static let oldest = (start: OSVersion.remoteStart, update: OSVersion(16, 1))

    package init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        installation = try fields.identifier("installation")
        user = try fields.value("user") == nil ? nil : fields.identifier("user")
        let word = try fields.string("environment") ?? PushEnvironment.production.rawValue
        guard let environment = PushEnvironment(rawValue: word) else {
            throw fields.invalid("environment", "must be production or sandbox")
        }
        self.environment = environment
        type = try fields.identifier("type")
        startToken = try Self.token(&fields, "startToken")
        let update = try Self.token(&fields, "updateToken")
        let activity = try fields.value("activity") == nil ? nil : fields.identifier("activity")
        let instance = try fields.value("instance") == nil ? nil : fields.identifier("instance")
        if let update {
            let name = try fields.required("activity", activity)
            card = (Card(instance: instance ?? "imported", name: name, type: type), update)
            hasInstance = instance != nil
        } else if activity != nil || instance != nil || startToken == nil {
            throw JSONFieldError(path: activity == nil && instance == nil ? "startToken" : "updateToken", .missing)
        }
        let least = startToken == nil ? Self.oldest.update : Self.oldest.start
        if let text = try fields.string("osVersion") {
            guard let version = OSVersion(text) else {
                throw fields.invalid("osVersion", "must be a version such as 18.1")
            }
            osVersion = max(version, least)
        } else {
            osVersion = least
        }
        appVersion = try fields.value("appVersion") == nil ? "0" : fields.identifier("appVersion")
        try fields.finish()
    }

    /// Gives a card an instance if the line does not identify it. No phone will ever report that instance for this
    /// device. Each generation of an activity has its own.
    mutating func nameCard(of generation: Int) {
        guard !hasInstance, let name = card?.card.name else { return }
        card?.card.instance = "imported:\(name.prefix(200))" + (generation > 1 ? ":\(generation)" : "")
    }

    private static func token(_ fields: inout JSONFields, _ name: String) throws(JSONFieldError) -> PushToken? {
        guard let text = try fields.string(name) else { return nil }
        guard let token = PushToken(hex: text) else {
            throw fields.invalid(name, "must be a token in hexadecimal digits")
        }
        return token
    }
}

/// The import of one line from another service. Several lines share a transaction.
///
/// The phone becomes a device without a secret, so no caller can speak for it. An installation that registers gets a
/// row of its own, under any id. The start token moves to the device that shows it, because only the phone itself can.
package struct ImportTokens: UseCase {
    /// What a line of an import led to.
    package enum Outcome: Sendable, Hashable, CaseIterable {
        case imported, unchanged
        /// The phone has EyotKit, and its own reports are better.
        case registered
    }

    package let transaction: Transaction
    let app: AppID

    package init(_ transaction: Transaction, app: AppID) {
        self.transaction = transaction
        self.app = app
    }

    /// - Throws: ``EyotError`` if a card's activity has ended, or is not for that phone. Then nothing has changed.
    package func callAsFunction(_ asked: TokenLine) throws -> Outcome {
        var line = asked
        let former = try ledger.device(installation: line.installation, in: app)
        guard former?.isImported ?? true else { return .registered }
        for id in try holders(of: line.startToken) where try ledger.device(id)?.isImported == false {
            return .registered
        }
        if let name = line.card?.card.name {
            try line.nameCard(of: ledger.newestActivity(named: name, in: app)?.generation ?? 1)
        }
        if let card = line.card?.card { try check(card, line, former) }
        var device = try former ?? insert(line)
        let before = device
        if let user = line.user { (device.user, device.isProven) = (user, true) }
        if former != nil {
            (device.environment, device.osVersion) = (line.environment, max(device.osVersion, line.osVersion))
        }
        let changes = try changes(line, of: device)
        guard former == nil || device != before || !changes.isEmpty else { return .unchanged }
        if device != before {
            try transaction.update(device, from: before)
            try LeaveFormerUser(transaction: transaction)(on: device, formerly: before.user)
        }
        let batch = DeviceChangeBatch(
            epoch: device.epoch,
            changes: changes.enumerated().map { DeviceChange(sequence: device.sequence + 1 + $0, action: $1) })
        _ = try ApplyChanges(transaction)(batch, of: device.id)
        if former == nil || device != before { try QueueLiveCheck(ledger: ledger)(device) }
        return .imported
    }

    private func holders(of token: PushToken?) throws -> [DeviceID] {
        try token.map { try ledger.devices(withStartToken: $0, in: app) } ?? []
    }

    /// Checks that the card may be answered with the activity's state, before anything is written.
    private func check(_ card: Card, _ line: TokenLine, _ former: Device?) throws {
        var device = former ?? new(line).stored(as: DeviceID(rawValue: 0))
        if let user = line.user { (device.user, device.isProven) = (user, true) }
        guard let activity = try ledger.newestActivity(named: card.name, in: app) else {
            guard try JoinPolicy(ledger: ledger).opens(card.name, device, at: now) else { throw Self.closed(card) }
            return
        }
        guard !activity.isEnded else {
            throw EyotError(
                .activityEnded, "activity \(card.name) has ended, so an imported card would end too", field: "activity")
        }
        guard try JoinPolicy(ledger: ledger)(activity, device) else { throw Self.closed(card) }
    }

    private static func closed(_ card: Card) -> EyotError {
        EyotError(
            .fieldInvalid,
            "activity \(card.name) is private and not declared for the user of this line: import before declaring",
            field: "activity")
    }

    private func new(_ line: TokenLine) -> NewDevice {
        var new = NewDevice(
            app: app, installation: line.installation, environment: line.environment, osVersion: line.osVersion,
            appVersion: line.appVersion, permissions: DevicePermissions(activities: true, frequentPushes: true),
            user: line.user, createdAt: now)
        new.isImported = true
        return new
    }

    private func insert(_ line: TokenLine) throws -> Device {
        let device = try ledger.insert(new(line))
        transaction.countAdoption(ofNew: device)
        return device
    }

    /// The changes in the line that are new to the device.
    private func changes(_ line: TokenLine, of device: Device) throws -> [DeviceChange.Action] {
        var changes: [DeviceChange.Action] = []
        if let token = line.startToken, try ledger.startToken(of: device.id, type: line.type)?.token != token {
            changes.append(.setStartToken(type: line.type, token: token))
        }
        if let (card, token) = line.card,
            try ledger.replica(ofInstance: card.instance, on: device.id)?.token?.token != token
        {
            changes.append(.setUpdateToken(card, token: token))
        }
        return changes
    }
}

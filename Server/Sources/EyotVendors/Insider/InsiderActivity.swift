import EyotContract
import EyotDomain

/// An activity in the terms of Insider's API: registered with its users, then started once, then over. Its cards belong
/// to an ``Activity`` of the same name.
struct InsiderActivity: Sendable, Hashable {
    enum State: String, Sendable, Hashable, CaseIterable {
        /// Users may still be added and removed.
        case registered
        case started
        /// No call can address it any more, although its cards may still be there.
        case dead
    }

    var app: AppID
    /// A UUID that the server made, or the name of a card that began on a phone.
    var id: String
    var type: String
    /// External ids, in the order in which they were added.
    var users: [String]
    var state: State
    /// When it is over in any case.
    var endsAt: Instant
    /// The generation of its name that was ended together with it; 0 if none was.
    var endedGeneration = 0

    /// The most users in one call, and in all.
    static let userLimit = 10_000

    init(
        app: AppID, id: String, type: String, users: [String] = [], state: State = .registered, endsAt: Instant
    ) {
        self.app = app
        self.id = id
        self.type = type
        self.users = users
        self.state = state
        self.endsAt = endsAt
    }

    /// Whether it is over and a later generation of its name runs. Calls can address that generation.
    ///
    /// - Parameter newest: the newest generation of its name.
    func isRevived(by newest: Activity?, at now: Instant) -> Bool {
        guard let newest, !newest.isEnded else { return false }
        return switch state {
        case .dead: newest.generation > endedGeneration
        case .registered, .started: endsAt <= now && newest.createdAt >= endsAt
        }
    }
}

extension InsiderActivity {
    /// The activity of a record; nil if it is none.
    init?(_ record: VendorRecord) {
        let content = record.content.object
        guard let state = content?["state"]?.string.flatMap(State.init(rawValue:)) else { return nil }
        self.init(
            app: record.app, id: record.id, type: content?["type"]?.string ?? "", users: record.users, state: state,
            endsAt: record.endsAt)
        endedGeneration = content?["endedGeneration"]?.integer ?? 0
    }

    var record: VendorRecord {
        VendorRecord(
            app: app, vendor: .insider, id: id, users: users,
            content: [
                "type": .string(type), "state": .string(state.rawValue), "endedGeneration": .integer(endedGeneration),
            ], endsAt: endsAt)
    }
}

extension Ledger {
    func insiderActivity(_ id: String, in app: AppID) throws -> InsiderActivity? {
        try vendorRecord(.init(vendor: .insider, id: id), in: app).flatMap(InsiderActivity.init)
    }

    func put(_ activity: InsiderActivity) throws { try put(activity.record) }
}

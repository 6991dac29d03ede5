import APNSWire
import EyotContract
import EyotDomain

/// The return of tokens that Apple's answers had buried or set aside. A token that Apple refuses again is buried again.
///
/// One transaction restores a part. For the rest the caller repeats the call with the cursor in the answer.
package struct RestoreTokens: UseCase {
    /// Tokens that one transaction reads.
    package static let tokenLimit = 500
    /// Activities that one transaction searches for tokens.
    package static let activityLimit = 200

    /// The tokens to restore. An activity or a replica selects only update tokens, a device or an app also start
    /// tokens.
    package enum Selection: Sendable, Hashable {
        case app
        case device(DeviceID)
        /// The newest generation of a name.
        case activity(String)
        case replica(String, ordinal: Int)
    }

    /// The last token that was read.
    package enum Cursor: Sendable, Hashable {
        case update(ActivityID, ordinal: Int)
        case start(DeviceID, type: String)
    }

    package struct Result: Sendable, Hashable {
        package var updateTokens = 0
        package var startTokens = 0
        /// Where to continue, or nil if all tokens were read.
        package var next: Cursor?
    }

    package let transaction: Transaction
    let app: AppID
    private let reason: APNSReason?
    private var result = Result()
    /// Tokens that may still be read.
    private var room = Self.tokenLimit
    private var changed: [ActivityID: Activity] = [:]

    /// - Parameter reason: Restores only the tokens that Apple refused for this reason. Nil restores all.
    package init(_ transaction: Transaction, app: AppID, reason: APNSReason? = nil) {
        self.transaction = transaction
        self.app = app
        self.reason = reason
    }

    /// - Throws: `activityUnknown`, `replicaUnknown` or `deviceUnknown`.
    package mutating func callAsFunction(_ selection: Selection, after cursor: Cursor? = nil) throws -> Result {
        switch selection {
        case .app: try restoreAll(after: cursor)
        case .device(let id): try restore(device: id)
        case .activity(let name): try restore(in: try activity(name).id, after: cursor?.ordinal ?? 0)
        case .replica(let name, let ordinal):
            guard let replica = try ledger.replica(ordinal, of: try activity(name).id) else {
                throw EyotError(.replicaUnknown, "activity \(name) has no replica \(ordinal)", field: "ordinal")
            }
            try restore(replica)
        }
        for activity in changed.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
            try ledger.update(activity)
            ledger.woken.insert(activity.id)
        }
        return result
    }

    private func activity(_ name: String) throws -> Activity {
        guard let activity = try ledger.newestActivity(named: name, in: app) else {
            throw try ledger.unknownActivity(name, in: app)
        }
        return activity
    }

    // MARK: Which

    private mutating func restoreAll(after cursor: Cursor?) throws {
        var start = (device: DeviceID(rawValue: 0), type: "")
        if case .start(let device, let type) = cursor {
            start = (device, type)
        } else {
            try restoreUpdateTokens(after: cursor)
            guard result.next == nil else { return }
        }
        let tokens = try ledger.deadStartTokens(in: app, after: start.device, type: start.type, limit: room)
        for token in tokens { try restore(token) }
        if tokens.count == room, let last = tokens.last { result.next = .start(last.device, type: last.type) }
    }

    private mutating func restoreUpdateTokens(after cursor: Cursor?) throws {
        var last = ActivityID(rawValue: 0)
        if case .update(let activity, let ordinal) = cursor {
            try restore(in: activity, after: ordinal)
            guard result.next == nil else { return }
            last = activity
        }
        let activities = try ledger.activities(of: app, after: last, limit: Self.activityLimit)
        for activity in activities {
            try restore(in: activity, after: 0)
            guard result.next == nil else { return }
        }
        if activities.count == Self.activityLimit, let last = activities.last {
            result.next = .update(last, ordinal: .max)
        }
    }

    private mutating func restore(in id: ActivityID, after ordinal: Int) throws {
        // A cursor may name any activity.
        guard try ledger.activity(id)?.app == app else { return }
        let replicas = try ledger.deadReplicas(of: id, after: ordinal, limit: room)
        for replica in replicas { try restore(replica) }
        if replicas.count == room, let last = replicas.last { result.next = .update(id, ordinal: last.ordinal) }
        room -= replicas.count
    }

    /// Restores the tokens of a device in one transaction, up to the limit, because a device has few.
    private mutating func restore(device id: DeviceID) throws {
        guard try ledger.device(id)?.app == app else {
            throw EyotError(.deviceUnknown, "there is no device \(id.rawValue)", field: "device")
        }
        for replica in try ledger.deadReplicas(of: id, limit: room) { try restore(replica) }
        for token in try ledger.startTokens(of: id) { try restore(token) }
    }

    // MARK: One token

    private mutating func restore(_ dead: Replica) throws {
        guard case .dead(let death) = dead.phase, reason.map({ $0 == death.reason }) ?? true,
            // Another restored card of its name may just have handed its state to this one.
            let former = try ledger.replica(dead.ordinal, of: dead.activity)
        else { return }
        var replica = former
        guard replica.restoreToken(at: now),
            var activity = try changed[dead.activity] ?? ledger.activity(dead.activity)
        else { return }
        let others = try ledger.replicas(of: replica.device, named: activity.name, in: app)
        try ledger.leaveName(&replica, of: activity, to: others)
        try transaction.update(replica, from: former, in: app)
        activity.wake(at: now)
        changed[activity.id] = activity
        result.updateTokens += 1
    }

    private mutating func restore(_ dead: StartToken) throws {
        guard let death = dead.death, reason.map({ $0 == death.reason }) ?? true else { return }
        var token = dead
        token.death = nil
        try transaction.put(token, from: dead, in: app)
        // An open audience may start a card on the device now.
        if let device = try ledger.device(token.device) { try QueueLiveCheck(ledger: ledger)(device) }
        result.startTokens += 1
    }
}

extension RestoreTokens.Cursor {
    fileprivate var ordinal: Int? {
        if case .update(_, let ordinal) = self { ordinal } else { nil }
    }

    /// The cursor as text, for the answer and the next call.
    package var text: String {
        switch self {
        case .update(let activity, let ordinal): "update.\(activity.rawValue).\(ordinal)"
        case .start(let device, let type): "start.\(device.rawValue).\(type)"
        }
    }

    package init?(text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let id = Int64(parts[1]) else { return nil }
        switch (parts[0], Int(parts[2])) {
        case ("update", let ordinal?): self = .update(ActivityID(rawValue: id), ordinal: ordinal)
        case ("start", _): self = .start(DeviceID(rawValue: id), type: String(parts[2]))
        default: return nil
        }
    }
}

import EyotContract
import EyotDomain

/// The marking of cards that are left out of a declaration for everyone, because their builds of the app cannot decode
/// it. Each keeps what it shows (``Keeping``).
struct LeaveOut {
    /// How many earlier declarations are searched for one that a build decodes.
    private static let looksBack = 100

    private let ledger: any Ledger
    private let declaration: Declaration
    private var schemas: BuildSchemas
    private var decodes: [Decoding: Bool] = [:]
    private var earlier: [Version: Declaration] = [:]

    private struct Decoding: Hashable {
        var version: Version
        var build: String
    }

    init(_ ledger: any Ledger, of declaration: Declaration, type: String, in app: AppID) {
        (self.ledger, self.declaration) = (ledger, declaration)
        schemas = BuildSchemas(ledger: ledger, app: app, type: type)
    }

    /// Marks a card if its build cannot decode the declaration. A phone that has another build by now is left in.
    mutating func mark(_ replica: inout Replica, in activity: Activity) throws {
        guard let build = try ledger.device(replica.device)?.appVersion, try !canDecode(declaration, on: build) else {
            return
        }
        replica.leaveOut(declaration, keeping: try kept(by: replica, on: build, in: activity))
    }

    /// Judges a mark anew for the build that the phone has now.
    mutating func unmark(_ replica: inout Replica, on build: String) throws {
        guard replica.keeping != nil, try canDecode(declaration, on: build) else { return }
        replica.keeping = nil
    }

    /// The state that a card keeps: what it has, or the newest earlier one that its build decodes.
    private mutating func kept(
        by replica: Replica, on build: String, in activity: Activity
    ) throws -> Declaration? {
        var version = replica.commonState(at: declaration.follows)
        if replica.acceptedVersion == max(version, replica.scopedState) { return try state(version) }
        for _ in 0..<Self.looksBack {
            guard let state = try state(version) else { return nil }
            if try canDecode(state, on: build) { return state }
            version = replica.commonState(at: state.follows)
        }
        return nil
    }

    private mutating func state(_ version: Version) throws -> Declaration? {
        guard version > 0 else { return nil }
        let found = try earlier[version] ?? ledger.declaration(version, of: declaration.activity)
        earlier[version] = found
        return found
    }

    private mutating func canDecode(_ declaration: Declaration, on build: String) throws -> Bool {
        let key = Decoding(version: declaration.version, build: build)
        let answer =
            try decodes[key] ?? (schemas.refusal(of: nil, declaration.content.state, on: [build]) == nil)
        decodes[key] = answer
        return answer
    }
}

/// The consequences for the cards of a phone that has another build of the app: those that kept an earlier state get
/// the newest one, if the build decodes it.
struct JudgeKeeping: UseCase {
    let transaction: Transaction

    func callAsFunction(on device: Device) throws {
        try ledger.forEachReplica(of: device.id) { former in
            guard former.keeping != nil, former.isWithinReach, var activity = try ledger.activity(former.activity),
                let type = activity.type,
                let newest = try ledger.declaration(activity.common(for: former.ordinal).state, of: activity.id)
            else { return }
            var (replica, leaveOut) = (former, LeaveOut(ledger, of: newest, type: type, in: device.app))
            try leaveOut.unmark(&replica, on: device.appVersion)
            guard replica != former else { return }
            try transaction.update(replica, from: former, in: device.app)
            activity.wake(at: now)
            try ledger.update(activity)
            ledger.woken.insert(activity.id)
        }
    }
}

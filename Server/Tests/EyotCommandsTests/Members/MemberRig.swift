import EyotCommands
import EyotDomain
import EyotTestKit
import Synchronization

/// A clock that stands until it is moved.
final class MemberClock: WallClock {
    private let moment = Mutex(Instant(second: 1_671_375_600))

    var now: Instant { moment.withLock { $0 } }

    func nap(until moment: Instant, atMost seconds: Double) async throws { throw CancellationError() }

    func advance(_ seconds: Double) { moment.withLock { $0 = $0 + seconds } }
}

/// Members over a store in memory, with passwords that are hashed at little cost.
struct MemberRig: Sendable {
    static let password = Secret("correct horse battery")
    static let cheap = PasswordCost(logRounds: 1, blockSize: 1, parallelism: 1)

    let store = MemoryStore()
    let clock = MemberClock()
    let sealer = Sealer(MasterKey.make())
    let members: Members
    let refusals = Refusals()

    final class Refusals: Sendable {
        private let all = Mutex<[AuditEntry]>([])

        var entries: [AuditEntry] { all.withLock { $0 } }

        func append(_ entry: AuditEntry) { all.withLock { $0.append(entry) } }
    }

    init() {
        members = Members(
            store: store, clock: clock, sealer: sealer, hasher: PasswordHasher(cost: Self.cheap),
            onRefusal: { [refusals] in refusals.append($0) })
    }

    /// Runs a transaction of now.
    @discardableResult
    func write<Result: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> Result
    ) async throws -> Result {
        let now = clock.now
        return try await store.write { try body(Transaction($0, at: now)) }
    }

    func app(_ name: String) async throws -> App {
        try await write { transaction in
            try transaction.ledger.insertApp(
                bundleID: "org.example.\(name)", name: name, publicKey: "pk-\(name)", at: transaction.now)
        }
    }

    /// Adds a member with a grant; an owner without an app.
    @discardableResult
    func add(
        _ name: String, _ role: PanelRole = .viewer, in app: App? = nil, production: Bool = false,
        by actor: MemberActor = .command("test")
    ) async throws -> PanelMember {
        try await write { transaction in
            try MemberAdmin(transaction).add(
                name, .init(app == nil ? .owner : role, for: app, hasProduction: production),
                hash: Keyring.make(.apiKey).hash, by: actor
            ).member
        }
    }

    /// Makes a link as an administrator does, and returns its secret.
    func link(
        _ name: String, _ purpose: MemberLink.Purpose = .password, by actor: MemberActor = .command("test")
    ) async throws -> String {
        let secret = Keyring.make(.memberLink)
        try await write { try MemberAdmin($0).link(name, purpose, hash: secret.hash, by: actor) }
        return secret.secret.text
    }

    /// Adds a member who has accepted a link with ``password``.
    func ready(
        _ name: String, _ role: PanelRole = .viewer, in app: App? = nil, production: Bool = false
    ) async throws -> ProvenMember {
        try await add(name, role, in: app, production: production)
        let session = try await members.accept(link: link(name), password: Self.password, from: SignInOrigin())
        return try await proven(session)
    }

    func proven(_ session: NewSession) async throws -> ProvenMember {
        guard let proven = try await members.member(provenBy: session.secret.text) else { throw NotSignedIn() }
        return proven
    }

    struct NotSignedIn: Error {}

    func signIn(
        _ name: String, _ password: Secret = password, code: String? = nil, from network: String? = nil
    ) async throws -> NewSession {
        try await members.signIn(
            .init(name: name, password: password, code: code),
            from: SignInOrigin(address: network, network: network, browser: "Test"))
    }

    /// The code of the error that a try ends with; nil if it succeeds.
    func refusal(_ body: () async throws -> Void) async throws -> MemberError? {
        do {
            try await body()
            return nil
        } catch let error as MemberError {
            return error
        }
    }

    func audit(_ app: AppID? = nil) async throws -> [AuditEntry] {
        try await store.read { try $0.auditEntries(of: app, before: nil, limit: 100) }
    }
}

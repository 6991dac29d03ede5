import Crypto
import EyotDomain
import Foundation
import Synchronization

/// The door in for members of the panel: sign-in, sessions, links and what members change of themselves.
///
/// The panel translates forms into these calls and does nothing else.
package final class Members: Sendable {
    let store: any Store
    let clock: any WallClock
    let sealer: Sealer
    package let hasher: PasswordHasher
    package let policy: SignInPolicy
    /// The part of an address that limits count; nil for this machine.
    private let networkOf: @Sendable (String) -> String?
    /// Receives each refused try, for the record of refusals.
    private let onRefusal: @Sendable (AuditEntry) -> Void
    private let limits = Mutex(SignInLimits())

    package init(
        store: any Store, clock: any WallClock, sealer: Sealer, hasher: PasswordHasher = PasswordHasher(),
        policy: SignInPolicy = SignInPolicy(), networkOf: @escaping @Sendable (String) -> String? = { $0 },
        onRefusal: @escaping @Sendable (AuditEntry) -> Void = { _ in }
    ) {
        (self.store, self.clock, self.sealer) = (store, clock, sealer)
        (self.hasher, self.policy, self.networkOf, self.onRefusal) = (hasher, policy, networkOf, onRefusal)
    }

    // MARK: Tries

    /// Counts a call for the way to the provider. It comes before the provider is called.
    ///
    /// - Throws: ``MemberError`` with `tooManyTries`.
    package func start(from origin: SignInOrigin, route: String) throws {
        guard let wait = limits.withLock({ $0.start(from: origin.network, at: clock.now) }) else { return }
        note("", origin, route, status: 429)
        throw MemberError.wait(wait)
    }

    /// Counts a try of a network. It comes before anything else is done for the try.
    ///
    /// - Parameter route: The path that was called, for the record.
    /// - Throws: ``MemberError`` with `tooManyTries`.
    package func admit(_ name: String = "", from origin: SignInOrigin, route: String) throws {
        guard let wait = limits.withLock({ $0.admit(origin.network, at: clock.now) }) else { return }
        note(name, origin, route, status: 429)
        throw MemberError.wait(wait)
    }

    /// Runs a try that may guess a password or a code. A failure makes further tries of the name from there wait.
    ///
    /// - Throws: ``MemberError`` with `tooManyTries`, and the errors of `body`.
    func guessing<Result: Sendable>(
        _ name: String, from origin: SignInOrigin, route: String, _ body: () async throws -> Result
    ) async throws -> Result {
        try admit(name, from: origin, route: route)
        let place = SignInLimits.Place(name: name, network: origin.network)
        if let wait = try await wait(at: place) {
            note(name, origin, route, status: 429)
            throw MemberError.wait(wait)
        }
        do {
            return try await proving(name, from: origin, route: route, body)
        } catch let error as MemberError where Self.isFailure(error) {
            limits.withLock { $0.fail(place, at: clock.now) }
            throw error
        }
    }

    /// Runs an admitted try that shows what cannot be guessed, and records a failure.
    func proving<Result: Sendable>(
        _ name: String, from origin: SignInOrigin, route: String, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body()
            limits.withLock { $0.succeed(SignInLimits.Place(name: name, network: origin.network)) }
            return result
        } catch let error as MemberError where Self.isFailure(error) {
            note(name, origin, route, status: 401)
            throw error
        }
    }

    private static func isFailure(_ error: MemberError) -> Bool {
        [.signInRefused, .linkUnknown].contains(error.code)
    }

    /// Returns the seconds that a guess has to wait; nil if it may be made now.
    private func wait(at place: SignInLimits.Place) async throws -> Double? {
        switch limits.withLock({ $0.look(place, at: clock.now) }) {
        case .go: return nil
        case .wait(let seconds): return seconds
        case .waitIfStrange(let seconds):
            // After a restart the stored sessions tell which networks signed the member in.
            let addresses = try await store.read { ledger in
                try ledger.member(named: place.name).map { try ledger.sessions(of: $0.id).compactMap(\.address) }
            }
            guard addresses?.contains(where: { networkOf($0) == place.network }) == true else { return seconds }
            limits.withLock { $0.succeed(place) }
            return nil
        }
    }

    /// Records a refused try. A name that was typed may be a password in the wrong field, so it is hashed.
    private func note(_ name: String, _ origin: SignInOrigin, _ route: String, status: Int) {
        onRefusal(
            AuditEntry(
                app: nil, at: clock.now, key: 0, hint: "", method: "POST", route: route,
                subject: "member=\(Keyring.trace(of: name))", status: status, address: origin.address))
    }

    // MARK: Sessions

    /// Begins a session in a transaction. The oldest ones end beyond the limit.
    static func begin(
        _ secret: Keyring.NewSecret, of member: PanelMember, by method: MemberSession.Method,
        from origin: SignInOrigin, in transaction: Transaction
    ) throws -> NewSession {
        let (ledger, now) = (transaction.ledger, transaction.now)
        // A browser's former session ends, so that a secret that was there before is worth nothing.
        if let former = origin.former, let old = try ledger.session(hash: Keyring.hash(of: former)) {
            _ = try ledger.removeSession(old.id, of: old.member)
        }
        for old in try ledger.sessions(of: member.id).dropLast(MemberSession.limit - 1) {
            _ = try ledger.removeSession(old.id, of: member.id)
        }
        var session = MemberSession(member: member.id, hash: secret.hash, by: method, at: now)
        (session.address, session.browser) = (origin.address, BrowserName.of(origin.browser))
        session = try ledger.insert(session)
        try ledger.note(
            AuditEntry(
                app: nil, at: now, key: 0, hint: member.name, method: "POST", route: "/panel/sign-in",
                subject: "member=\(member.name) by=\(method.rawValue)", status: 200, address: origin.address))
        return NewSession(secret: secret.secret, session: session, member: member)
    }

    /// The member that a session's secret proves; nil if there is no such session, or it has ended.
    ///
    /// - Parameter isUse: Whether the session lives longer by it.
    package func member(provenBy secret: String, isUse: Bool = true) async throws -> ProvenMember? {
        guard Keyring.kind(of: secret) == .session else { return nil }
        let (now, hash) = (clock.now, Keyring.hash(of: secret))
        let found = try await store.read { [policy] ledger -> (PanelMember, MemberSession, [HeldGrant])? in
            guard let session = try ledger.session(hash: hash), session.isRunning(at: now),
                let member = try ledger.member(session.member), member.disabledAt == nil,
                policy.accepts(session, of: member)
            else { return nil }
            return (member, session, try MemberGrants(Transaction(ledger, at: now)).held(by: member.id))
        }
        guard let (member, session, grants) = found else { return nil }
        if isUse, let used = session.used(at: now) {
            // A session that cannot be prolonged still counts: a full disk must not keep operators out.
            try? await store.write { try $0.update(used) }
        }
        return ProvenMember(member: member, session: session, grants: grants, csrf: ProvenMember.csrf(of: secret))
    }

    /// Ends the session of a call.
    package func signOut(_ proven: ProvenMember, from origin: SignInOrigin) async throws {
        do {
            try await change(proven, "/panel/sign-out", "signedOut=1", from: origin) { ledger in
                _ = try ledger.removeSession(proven.session.id, of: proven.member.id)
            }
        } catch let error as MemberError where error == .signInRefused {
            // It has ended in the meantime.
        }
    }

    /// Ends one session of the member, or all except the present one.
    ///
    /// - Parameter session: Nil for all others.
    package func end(_ session: Int64?, of proven: ProvenMember, from origin: SignInOrigin) async throws {
        let what = session.map { "session=\($0)" } ?? "otherSessions"
        try await change(proven, "/panel/me/sessions", "\(what) ended", from: origin) { ledger in
            try Self.endSessions(of: proven, ledger) { session == nil || $0.id == session }
        }
    }

    /// The member's sessions, newest first.
    package func sessions(of proven: ProvenMember) async throws -> [MemberSession] {
        let now = clock.now
        return try await store.read { ledger in
            try ledger.sessions(of: proven.member.id).filter { $0.isRunning(at: now) }.reversed()
        }
    }

    /// Ends sessions of a member, but not the present one.
    static func endSessions(
        of proven: ProvenMember, _ ledger: any Ledger, where isMeant: (MemberSession) -> Bool
    ) throws {
        for session in try ledger.sessions(of: proven.member.id)
        where session.id != proven.session.id && isMeant(session) {
            _ = try ledger.removeSession(session.id, of: proven.member.id)
        }
    }

    /// Changes something of a member's own, and records it in the same transaction.
    func change(
        _ proven: ProvenMember, _ route: String, _ subject: String, from origin: SignInOrigin,
        _ body: @escaping @Sendable (any Ledger) throws -> Void
    ) async throws {
        let now = clock.now
        let actor = MemberActor(proven, method: "POST", route: route, address: origin.address)
        try await store.write { ledger in
            try ledger.require(proven)
            try body(ledger)
            try ledger.note(
                actor.entry("member=\(proven.member.name) \(subject)", at: now))
        }
    }
}

extension Ledger {
    /// Checks that the session of a call has not ended since it was read. A grant may have ended it, and a change that
    /// was under way must not use what the grant gave.
    func require(_ proven: ProvenMember) throws {
        guard try session(hash: proven.session.hash) != nil else { throw MemberError.signInRefused }
    }
}

import EyotDomain

extension Members {
    /// What a member types to sign in.
    package struct Attempt: Sendable {
        package var name: String
        package var password: Secret
        /// Nil or empty without a second factor.
        package var code: String?

        package init(name: String, password: Secret, code: String? = nil) {
            (self.name, self.password, self.code) = (name, password, code)
        }
    }

    private static let route = "/panel/sign-in"

    /// Signs a member in by its password, and its code if it has a second factor.
    ///
    /// An unknown name, a wrong password, a wrong code and a disabled member are refused alike. The words are the same,
    /// and one hash is computed each time.
    ///
    /// - Throws: ``MemberError`` with `signInRefused`, `tooManyTries` or `busy`.
    package func signIn(_ attempt: Attempt, from origin: SignInOrigin) async throws -> NewSession {
        let name = PanelMember.normalized(attempt.name)
        return try await guessing(name, from: origin, route: Self.route) {
            guard name.utf8.count <= PanelMember.nameBytes, !name.utf8.contains(0) else {
                throw MemberError.signInRefused
            }
            let member = try await store.read { try $0.member(named: name) }
            let isRight = try await hasher.verify(attempt.password, against: member?.password)
            guard isRight, let member, let password = member.password, policy.allowsPassword(member) else {
                throw MemberError.signInRefused
            }
            let renewed = hasher.isOutdated(password) ? try await hasher.hash(attempt.password) : nil
            return try await begin(as: member, code: attempt.code, from: origin) { [policy] stored in
                // The password may have been changed since it was read.
                guard stored.password == password, policy.allowsPassword(stored) else {
                    throw MemberError.signInRefused
                }
                if let renewed { stored.password = renewed }
            }
        }
    }

    /// Signs in the member that an authenticating proxy names. From the first time on the member has no other way.
    ///
    /// - Throws: ``MemberError`` with `signInRefused` for a name that is no member's.
    package func signIn(byProxyAs name: String, from origin: SignInOrigin) async throws -> NewSession {
        let name = PanelMember.normalized(name)
        try admit(name, from: origin, route: Self.route)
        return try await proving(name, from: origin, route: Self.route) {
            let (now, secret) = (clock.now, Keyring.make(.session))
            return try await store.write { ledger in
                let transaction = Transaction(ledger, at: now)
                guard let member = try ledger.member(named: name), member.disabledAt == nil else {
                    throw MemberError.signInRefused
                }
                let bound = try Self.bind(.proxy(name), to: member, in: transaction)
                return try Self.begin(secret, of: bound, by: .proxy, from: origin, in: transaction)
            }
        }
    }

    /// Signs in the member that has an account at the OpenID provider.
    ///
    /// The first time the member is found by the e-mail address that the provider has verified, also if its account is
    /// at a provider that the operator has left. From then on only the account counts. A password that the member had
    /// is removed then, because another person may have set it.
    ///
    /// The caller has admitted the try, because the provider was called before.
    ///
    /// - Parameter createsMembers: Whether an unknown person becomes a member, without any grant.
    /// - Throws: ``MemberError`` with `signInRefused`.
    package func signIn(
        as identity: ProviderIdentity, createsMembers: Bool, from origin: SignInOrigin
    ) async throws -> NewSession {
        let email = identity.email.map(PanelMember.normalized)
        let place = email ?? identity.account.subject
        return try await proving(place, from: origin, route: "/panel/oidc/callback") {
            let (now, secret) = (clock.now, Keyring.make(.session))
            return try await store.write { ledger in
                let transaction = Transaction(ledger, at: now)
                let member = try Self.member(identity, email, createsMembers, in: transaction)
                guard member.disabledAt == nil else { throw MemberError.signInRefused }
                return try Self.begin(secret, of: member, by: .provider, from: origin, in: transaction)
            }
        }
    }

    private static func member(
        _ identity: ProviderIdentity, _ email: String?, _ createsMembers: Bool, in transaction: Transaction
    ) throws -> PanelMember {
        let ledger = transaction.ledger
        if let member = try ledger.member(of: identity.account) {
            return try bind(identity.account, to: member, in: transaction)
        }
        guard let email else { throw MemberError.signInRefused }
        if let member = try ledger.member(named: email) {
            // Another account of this provider has bound the name before.
            guard member.account?.issuer != identity.account.issuer else { throw MemberError.signInRefused }
            return try bind(identity.account, to: member, in: transaction)
        }
        guard createsMembers else { throw MemberError.signInRefused }
        var member = try MemberAdmin(transaction).insert(email)
        member.account = identity.account
        try ledger.update(member)
        return member
    }

    /// Makes an account the member's only way to sign in. What was there before ends, because another person may have
    /// left it: password, second factor, sessions, link.
    private static func bind(
        _ account: ProviderAccount, to member: PanelMember, in transaction: Transaction
    ) throws -> PanelMember {
        guard member.account != account || member.password != nil || member.totp != nil else { return member }
        let ledger = transaction.ledger
        var bound = member
        (bound.account, bound.password, bound.totp) = (account, nil, nil)
        try ledger.update(bound)
        for session in try ledger.sessions(of: member.id) { _ = try ledger.removeSession(session.id, of: member.id) }
        try ledger.withdrawLink(of: member.id)
        return bound
    }

    /// Begins a session by a password in one transaction, with a check of the code if the member has a second factor.
    ///
    /// - Parameter edit: Changes the member as it is stored now.
    private func begin(
        as member: PanelMember, code: String?, from origin: SignInOrigin,
        edit: @escaping @Sendable (inout PanelMember) throws -> Void
    ) async throws -> NewSession {
        let (now, secret, sealer) = (clock.now, Keyring.make(.session), sealer)
        return try await store.write { ledger in
            guard var stored = try ledger.member(member.id), stored.disabledAt == nil else {
                throw MemberError.signInRefused
            }
            try edit(&stored)
            try stored.consume(code, sealer, at: now)
            try ledger.update(stored)
            return try Self.begin(
                secret, of: stored, by: .password, from: origin, in: Transaction(ledger, at: now))
        }
    }
}

extension PanelMember {
    /// Checks a code and uses it up, if the member has a second factor.
    ///
    /// - Throws: ``MemberError`` with `signInRefused`.
    mutating func consume(_ code: String?, _ sealer: Sealer, at now: Instant) throws {
        guard let totp else { return }
        let secret = try sealer.open(totp.sealed, for: .totp(of: id))
        guard let code, let step = TOTPCode.acceptedStep(code, of: secret, after: totp.lastStep, at: now) else {
            throw MemberError.signInRefused
        }
        self.totp?.lastStep = step
    }
}

import EyotDomain

extension Members {
    /// What a link would do. Asking changes nothing.
    package struct LinkView: Sendable, Hashable {
        package var name: String
        package var purpose: MemberLink.Purpose
        /// Whether the member must show a code of its second factor.
        package var needsCode: Bool
        package var expiresAt: Instant
    }

    private static let route = "/panel/link/{secret}"

    /// - Returns: Nil for a link that was used, has expired or was never made.
    package func view(ofLink secret: String) async throws -> LinkView? {
        let now = clock.now
        guard Keyring.kind(of: secret) == .memberLink else { return nil }
        return try await store.read { [policy] ledger in
            guard let (link, member) = try Self.usable(secret, policy, ledger, at: now) else { return nil }
            return LinkView(
                name: member.name, purpose: link.purpose, needsCode: member.totp != nil, expiresAt: link.expiresAt)
        }
    }

    /// Uses a link up: sets the password if the link is for one, and signs the member in. All other sessions of the
    /// member end with a new password.
    ///
    /// - Throws: ``MemberError`` with `linkUnknown`, `signInRefused` for a wrong code, or `fieldInvalid`.
    package func accept(
        link secret: String, password: Secret?, code: String? = nil, from origin: SignInOrigin
    ) async throws -> NewSession {
        guard let view = try await view(ofLink: secret) else {
            try admit(from: origin, route: Self.route)
            return try await proving("", from: origin, route: Self.route) { throw MemberError.linkUnknown }
        }
        func run(_ body: () async throws -> NewSession) async throws -> NewSession {
            if view.needsCode { return try await guessing(view.name, from: origin, route: Self.route, body) }
            try admit(view.name, from: origin, route: Self.route)
            return try await proving(view.name, from: origin, route: Self.route, body)
        }
        return try await run {
            var hash: PasswordHash?
            if view.purpose == .password {
                guard let password else {
                    throw MemberError(.fieldInvalid, "Choose a password.", field: "password")
                }
                hash = try await hasher.hash(password)
            }
            return try await use(secret, hash, code, from: origin)
        }
    }

    private func use(
        _ secret: String, _ password: PasswordHash?, _ code: String?, from origin: SignInOrigin
    ) async throws -> NewSession {
        let (now, new, sealer) = (clock.now, Keyring.make(.session), sealer)
        return try await store.write { [policy] ledger in
            guard let (link, found) = try Self.usable(secret, policy, ledger, at: now),
                (link.purpose == .password) == (password != nil), try ledger.removeLink(hash: link.hash)
            else { throw MemberError.linkUnknown }
            var member = found
            try member.consume(code, sealer, at: now)
            if let password {
                member.password = password
                for session in try ledger.sessions(of: member.id) {
                    _ = try ledger.removeSession(session.id, of: member.id)
                }
            } else if !policy.allowsPassword(member) {
                // A session by a link counts beside an account only if no password is left from before.
                (member.password, member.totp) = (nil, nil)
            }
            try ledger.update(member)
            return try Self.begin(new, of: member, by: .link, from: origin, in: Transaction(ledger, at: now))
        }
    }

    private static func usable(
        _ secret: String, _ policy: SignInPolicy, _ ledger: any Ledger, at now: Instant
    ) throws -> (MemberLink, PanelMember)? {
        guard let link = try ledger.link(hash: Keyring.hash(of: secret)), link.isUsable(at: now),
            let member = try ledger.member(link.member), member.disabledAt == nil, policy.accepts(link, of: member)
        else { return nil }
        return (link, member)
    }
}

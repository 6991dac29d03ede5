import EyotContract
import EyotDomain

extension Members {
    /// A second factor that a member is about to set up. It is stored when its first code is right.
    package struct NewTOTP: Sendable {
        /// The secret in base32, for the member's authenticator.
        package var secret: Secret
        /// The address that an authenticator reads from a QR code.
        package var address: String
        /// The secret as the form carries it: sealed, and for this member alone.
        package var sealed: String
    }

    /// Changes the member's own password. All its other sessions end.
    ///
    /// - Parameter present: The present password. Nil if the member has none.
    /// - Throws: ``MemberError`` with `signInRefused` for a wrong present password, or `fieldInvalid`.
    package func setPassword(
        _ password: Secret, insteadOf present: Secret?, of proven: ProvenMember, from origin: SignInOrigin
    ) async throws {
        try requirePassword(allowedFor: proven)
        try PasswordHasher.check(password)
        let former = try await require(present, of: proven, "/panel/me/password", from: origin)
        let hash = try await hasher.hash(password)
        try await change(proven, "/panel/me/password", "password=set", from: origin) { [policy] ledger in
            guard var member = try ledger.member(proven.member.id), member.password == former else {
                throw MemberError.signInRefused
            }
            guard policy.allowsPassword(member) else { throw MemberError.passwordNotAllowed() }
            member.password = hash
            try ledger.update(member)
            try Self.endSessions(of: proven, ledger) { _ in true }
        }
    }

    /// Makes a second factor for a form. It is not stored yet.
    package func newTOTP(for proven: ProvenMember) throws -> NewTOTP {
        let secret = TOTPCode.newSecret()
        let sealed = try sealer.seal(secret, for: .totp(of: proven.member.id))
        return NewTOTP(
            secret: secret, address: TOTPCode.address(secret, of: proven.member.name),
            sealed: "\(sealed.masterKeyID).\(HexBytes.text(of: sealed.box))")
    }

    /// Stores a second factor, if the code is its code of now.
    ///
    /// - Parameters:
    ///   - sealed: The text of ``NewTOTP/sealed``.
    ///   - password: The present password, because a browser that was left open must not lock the member out.
    package func setTOTP(
        _ sealed: String, code: String, password: Secret?, of proven: ProvenMember, from origin: SignInOrigin
    ) async throws {
        try requirePassword(allowedFor: proven)
        _ = try await require(password, of: proven, "/panel/me/totp", from: origin)
        let parts = sealed.split(separator: ".")
        guard parts.count == 2, let box = HexBytes.bytes(of: parts[1]) else { throw Self.codeIsWrong }
        let kept = SealedSecret(masterKeyID: String(parts[0]), box: box)
        guard let secret = try? sealer.open(kept, for: .totp(of: proven.member.id)),
            let step = TOTPCode.acceptedStep(code, of: secret, after: 0, at: clock.now)
        else { throw Self.codeIsWrong }
        try await change(proven, "/panel/me/totp", "totp=set", from: origin) { ledger in
            guard var member = try ledger.member(proven.member.id), member.totp == nil else {
                throw MemberError(.fieldInvalid, "There is a second factor already. Remove it first.")
            }
            member.totp = MemberTOTP(sealed: kept, lastStep: step)
            try ledger.update(member)
        }
    }

    /// Removes the member's second factor.
    package func removeTOTP(password: Secret?, of proven: ProvenMember, from origin: SignInOrigin) async throws {
        _ = try await require(password, of: proven, "/panel/me/totp", from: origin)
        try await change(proven, "/panel/me/totp", "totp=removed", from: origin) { ledger in
            guard var member = try ledger.member(proven.member.id) else { return }
            member.totp = nil
            try ledger.update(member)
        }
    }

    /// Whether the member may have a password and a second factor here.
    package func mayHavePassword(_ proven: ProvenMember) -> Bool { policy.allowsPassword(proven.member) }

    private func requirePassword(allowedFor proven: ProvenMember) throws {
        guard mayHavePassword(proven) else { throw MemberError.passwordNotAllowed() }
    }

    private static let codeIsWrong = MemberError(
        .fieldInvalid, "The code is wrong. Check the clock of your phone, and type the code that it shows now.",
        field: "code")

    /// Checks the present password of a signed-in member. A member without a password has nothing to show.
    ///
    /// - Returns: The hash that the password was checked against.
    private func require(
        _ password: Secret?, of proven: ProvenMember, _ route: String, from origin: SignInOrigin
    ) async throws -> PasswordHash? {
        let id = proven.member.id
        guard let stored = try await store.read({ try $0.member(id)?.password }) else { return nil }
        return try await guessing(proven.member.name, from: origin, route: route) {
            guard let password, try await hasher.verify(password, against: stored) else {
                throw MemberError.signInRefused
            }
            return stored
        }
    }
}

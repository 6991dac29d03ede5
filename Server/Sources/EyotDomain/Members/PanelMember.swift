import EyotContract

/// The id of a member of the panel.
package struct MemberID: RawRepresentable, Sendable, Hashable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A person who may sign in to the panel. Grants say for which apps; see ``MemberGrant``.
package struct PanelMember: Sendable, Hashable {
    /// The most members of a server.
    package static let limit = 1_000
    /// The most bytes of a name.
    package static let nameBytes = 128

    /// 0 until it is stored.
    package var id: MemberID
    /// The login name or e-mail address, in lower case. No two members have the same.
    package var name: String
    package var createdAt: Instant
    /// Nil until a password is set.
    package var password: PasswordHash?
    /// Nil without a second factor.
    package var totp: MemberTOTP?
    /// The account at the OpenID provider or the authenticating proxy; nil until the first sign-in by it. A member with
    /// an account has no password; see ``SignInPolicy``.
    package var account: ProviderAccount?
    /// When the member was disabled; nil if it may sign in.
    package var disabledAt: Instant?

    package init(id: MemberID = MemberID(rawValue: 0), name: String, createdAt: Instant) {
        self.id = id
        self.name = name
        self.createdAt = createdAt
    }

    /// The signs of names and e-mail addresses, beside letters, digits and spaces.
    package static let signs = ".@_+-'"

    /// A name as it is stored and searched: without spaces around it, in lower case.
    package static func normalized(_ name: String) -> String {
        var text = Substring(name.lowercased())
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Whether a name is one for a new member. Each of its characters can be seen, so that two names that look alike
    /// differ at most by the letters of another script.
    package static func allows(_ name: String) -> Bool {
        guard 1...nameBytes ~= name.utf8.count else { return false }
        return name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
                .spacingMark, .decimalNumber:
                true
            default: scalar == " " || signs.unicodeScalars.contains(scalar)
            }
        }
    }

    /// Whether a name has letters that may look like others: any beyond those of ASCII.
    package static func mayLookLikeAnother(_ name: String) -> Bool { name.utf8.contains { $0 >= 0x80 } }
}

/// A member's second factor: codes by time (RFC 6238).
package struct MemberTOTP: Sendable, Hashable {
    /// The shared secret, sealed with the master key.
    package var sealed: SealedSecret
    /// The step of the last accepted code. A code of this step or an earlier one is refused, so that no code is
    /// accepted twice.
    package var lastStep: Int64

    package init(sealed: SealedSecret, lastStep: Int64) {
        self.sealed = sealed
        self.lastStep = lastStep
    }
}

/// An account at an OpenID provider, or a name that an authenticating proxy vouches for.
package struct ProviderAccount: Sendable, Hashable {
    /// The provider's URL; `proxy` for a proxy.
    package var issuer: String
    /// The provider's own name of the account. It never changes, unlike an e-mail address.
    package var subject: String

    package init(issuer: String, subject: String) {
        self.issuer = issuer
        self.subject = subject
    }

    /// The account of the member that a proxy names.
    package static func proxy(_ name: String) -> ProviderAccount { ProviderAccount(issuer: "proxy", subject: name) }
}

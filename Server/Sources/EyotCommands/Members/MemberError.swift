/// The reason why something about members was refused, in words for the person who asked.
package struct MemberError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Code: String, Sendable, Hashable {
        /// Name, password or code are wrong. It never says which.
        case signInRefused
        case tooManyTries
        /// Too many passwords are being checked at once.
        case busy
        /// The link was used, has expired, or was never made.
        case linkUnknown
        case memberUnknown
        case nameTaken
        case fieldInvalid
        case notAllowed
        case tooMany
        /// The OpenID provider, or its answer, is at fault.
        case providerFailed
    }

    package var code: Code
    package var description: String
    /// The field of the form; nil if it is none.
    package var field: String?
    /// Seconds until another try may be made.
    package var wait: Double?

    package init(_ code: Code, _ description: String, field: String? = nil) {
        self.code = code
        self.description = description
        self.field = field
    }

    /// The same for each reason, so that no answer says whether a member exists.
    package static let signInRefused = MemberError(
        .signInRefused, "The name, the password or the code is wrong. Check all three and try again.")

    static func wait(_ seconds: Double) -> MemberError {
        let whole = max(1, Int(seconds.rounded(.up)))
        var error = MemberError(.tooManyTries, "There were too many tries. Try again in \(whole) seconds.")
        error.wait = seconds
        return error
    }

    static let busy = MemberError(.busy, "Too many people are signing in at this moment. Try again in a few seconds.")

    package static let linkUnknown = MemberError(
        .linkUnknown, "This link was used already, or has expired. Ask for a new one.")

    /// - Parameter name: The member's name; nil for the member that asks.
    static func passwordNotAllowed(_ name: String? = nil) -> MemberError {
        let cause =
            name.map { "\($0) signs in by the account at the sign-in provider or proxy, and has no password here." }
            ?? "You sign in by your account at the sign-in provider or proxy, and have no password here."
        let way = name.map { " If the provider is down, `eyot member link \($0) --sign-in` lets the member in once." }
        return MemberError(.notAllowed, cause + (way ?? ""))
    }

    package static func memberUnknown(_ name: String) -> MemberError {
        MemberError(.memberUnknown, "There is no member \(name). `eyot member list` shows all.")
    }
}

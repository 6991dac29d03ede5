/// The ways by which members may sign in.
///
/// A member with a known account at a provider or a proxy has no other way. So a person that loses the account there is
/// out, and nothing that was set here outlives it. A link that only signs in is the exception. Only a command at the
/// database makes one.
package struct SignInPolicy: Sendable, Hashable {
    /// Whether accounts at a provider or a proxy are the only way for all members.
    package var requiresAccount: Bool

    package init(requiresAccount: Bool = false) { self.requiresAccount = requiresAccount }

    /// Whether a member may set a password, and sign in by it.
    package func allowsPassword(_ member: PanelMember) -> Bool { !requiresAccount && member.account == nil }

    /// Whether a link of a member does anything.
    package func accepts(_ link: MemberLink, of member: PanelMember) -> Bool {
        link.purpose == .signIn || allowsPassword(member)
    }

    /// Whether a session counts. It may have begun before the member had an account, or before one was required.
    package func accepts(_ session: MemberSession, of member: PanelMember) -> Bool {
        switch session.method {
        case .provider, .proxy: true
        case .password: allowsPassword(member)
        // A link that sets a password begins a session too, and leaves the password behind.
        case .link: allowsPassword(member) || member.password == nil
        }
    }
}

import EyotCommands
import EyotContract
import EyotDomain
import EyotSQLite

/// Changes of the panel's members in the database itself. The first member can be added by no other way.
package struct MemberTool: Sendable {
    private let configuration: ServerConfiguration
    private let policy: SignInPolicy
    /// The command, for the audit log.
    private let actor: MemberActor

    /// - Parameter command: The words of the command, without names.
    package init(_ configuration: ServerConfiguration, command: String) {
        self.configuration = configuration
        policy = configuration.panel.policy
        actor = .command(command)
    }

    /// A member with its grants, as a list shows it.
    package struct Entry: Sendable {
        package var member: PanelMember
        package var grants: [HeldGrant]
        package var sessions: Int
    }

    /// Adds a member with a grant, or gives a member that exists the grant.
    ///
    /// - Parameter bundleID: The app; nil for an owner.
    /// - Returns: The link for a new member, and for one that must prove itself anew; nil for others.
    package func add(
        _ name: String, _ role: PanelRole, in bundleID: String?, hasProduction: Bool
    ) throws -> String? {
        try write { ledger, transaction in
            let wanted = try Self.wanted(role, bundleID, hasProduction, ledger)
            let added = try MemberAdmin(transaction, policy).add(
                name, wanted, hash: Keyring.make(.apiKey).hash, by: actor)
            return added.needsLink ? try link(added.member.name, .password, in: transaction) : nil
        }
    }

    /// Makes a new link for a member.
    package func link(
        _ name: String, _ purpose: MemberLink.Purpose = .password, removesTOTP: Bool = false
    ) throws -> String {
        try write { _, transaction in try link(name, purpose, removesTOTP: removesTOTP, in: transaction) }
    }

    /// Gives a member a role. It replaces the role that the member had there.
    ///
    /// - Returns: The link for a member that must prove itself anew; nil for others.
    package func grant(
        _ name: String, _ role: PanelRole, in bundleID: String?, hasProduction: Bool
    ) throws -> String? {
        try write { ledger, transaction in
            let wanted = try Self.wanted(role, bundleID, hasProduction, ledger)
            let added = try MemberAdmin(transaction, policy).grant(
                name, wanted, hash: Keyring.make(.apiKey).hash, by: actor)
            return added.needsLink ? try link(added.member.name, .password, in: transaction) : nil
        }
    }

    /// Takes a member's grant for an app, or that of an owner.
    package func revoke(_ name: String, in bundleID: String?) throws {
        try write { ledger, transaction in
            let (member, app) = (try Self.member(name, ledger), try bundleID.map { try Self.app($0, ledger) })
            guard let grant = try ledger.grants(of: member.id).first(where: { $0.app == app?.id }) else {
                throw MemberError(
                    .memberUnknown,
                    "\(member.name) has no grant there. `eyot member list` shows the grants of all members.")
            }
            try MemberGrants(transaction).take(grant, from: member, by: actor)
        }
    }

    /// Ends all sessions of a member, and withdraws its link.
    ///
    /// - Returns: How many sessions ended.
    package func signOut(_ name: String) throws -> Int {
        try write { _, transaction in try MemberAdmin(transaction).signOut(name, by: actor) }
    }

    package func setDisabled(_ isDisabled: Bool, _ name: String) throws {
        try write { _, transaction in try MemberAdmin(transaction).setDisabled(isDisabled, name, by: actor) }
    }

    package func remove(_ name: String) throws {
        try write { _, transaction in try MemberAdmin(transaction).remove(name, by: actor) }
    }

    /// All members, in the order of their names.
    package func list() throws -> [Entry] {
        try write { ledger, transaction in
            try ledger.members(after: "", limit: PanelMember.limit).map { member in
                Entry(
                    member: member, grants: try MemberGrants(transaction).held(by: member.id),
                    sessions: try ledger.sessions(of: member.id).count { $0.isRunning(at: transaction.now) })
            }
        }
    }

    // MARK: Parts

    private func link(
        _ name: String, _ purpose: MemberLink.Purpose, removesTOTP: Bool = false, in transaction: Transaction
    ) throws -> String {
        let secret = Keyring.make(.memberLink)
        try MemberAdmin(transaction, policy).link(
            name, purpose, hash: secret.hash, removesTOTP: removesTOTP, by: actor)
        return configuration.panelURL + "/panel/link/" + secret.secret.text
    }

    private static func wanted(
        _ role: PanelRole, _ bundleID: String?, _ hasProduction: Bool, _ ledger: any Ledger
    ) throws -> MemberGrants.Wanted {
        MemberGrants.Wanted(role, for: try bundleID.map { try app($0, ledger) }, hasProduction: hasProduction)
    }

    private static func app(_ bundleID: String, _ ledger: any Ledger) throws -> App {
        guard let app = try ledger.app(bundleID: bundleID) else {
            throw EyotError(.appUnknown, "there is no app \(bundleID)")
        }
        return app
    }

    private static func member(_ name: String, _ ledger: any Ledger) throws -> PanelMember {
        guard let member = try ledger.member(named: PanelMember.normalized(name)) else {
            throw MemberError.memberUnknown(name)
        }
        return member
    }

    private func write<Result>(_ body: (any Ledger, Transaction) throws -> Result) throws -> Result {
        let now = AdjustableClock().now
        return try configuration.openExistingDatabase().closing { database in
            try database.write { try body($0, Transaction($0, at: now)) }
        }
    }
}

/// The members of the panel, with their grants, links and sessions.
package protocol PanelLedger: AnyObject {
    /// Stores a member; the id in the result is the store's.
    func insert(_ member: PanelMember) throws -> PanelMember
    func update(_ member: PanelMember) throws
    func member(_ id: MemberID) throws -> PanelMember?
    func member(named name: String) throws -> PanelMember?
    func member(of account: ProviderAccount) throws -> PanelMember?
    /// Members with names above `name`, in order of the names' bytes.
    func members(after name: String, limit: Int) throws -> [PanelMember]
    /// Removes a member with its links and sessions. Its grants are removed before.
    func removeMember(_ id: MemberID) throws

    func insert(_ grant: MemberGrant) throws
    /// A member's grants, in order of their keys.
    func grants(of member: MemberID) throws -> [MemberGrant]
    /// The grants for an app, or those of owners, in order of their keys.
    func grants(for app: AppID?) throws -> [MemberGrant]
    func removeGrant(_ key: Int64) throws

    /// Stores a link instead of the member's former one.
    func put(_ link: MemberLink) throws
    func link(hash: SecretHash) throws -> MemberLink?
    func link(of member: MemberID) throws -> MemberLink?
    /// - Returns: whether there was such a link. Of two callers at once only one gets true.
    func removeLink(hash: SecretHash) throws -> Bool

    /// Stores a session; the id in the result is the store's.
    func insert(_ session: MemberSession) throws -> MemberSession
    func session(hash: SecretHash) throws -> MemberSession?
    /// Stores when a session was used and when it ends. A removed session is ignored.
    func update(_ session: MemberSession) throws
    /// A member's sessions, oldest first.
    func sessions(of member: MemberID) throws -> [MemberSession]
    func removeSession(_ id: Int64, of member: MemberID) throws -> Bool
    /// Removes links and sessions that ended before a moment, oldest first.
    ///
    /// - Returns: how many it removed.
    func removeEndedSessions(before moment: Instant, limit: Int) throws -> Int
}

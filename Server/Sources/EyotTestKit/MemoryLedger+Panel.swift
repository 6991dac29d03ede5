import EyotDomain

/// The rows of the panel's members.
struct MemoryPanel {
    var members: [PanelMember] = []
    var grants: [MemberGrant] = []
    var links: [MemberLink] = []
    var sessions: [MemberSession] = []
    var newestMember: Int64 = 0
    var newestSession: Int64 = 0
}

/// Members of the panel, in the simplest form.
extension MemoryLedger {
    package func insert(_ member: PanelMember) throws -> PanelMember {
        try requireFree(member)
        panel.newestMember += 1
        var stored = member
        stored.id = MemberID(rawValue: panel.newestMember)
        panel.members.append(stored)
        return stored
    }

    package func update(_ member: PanelMember) throws {
        guard let index = panel.members.firstIndex(where: { $0.id == member.id }) else { return }
        try requireFree(member)
        panel.members[index] = member
    }

    private func requireFree(_ member: PanelMember) throws {
        let isTaken = panel.members.contains { other in
            other.id != member.id
                && (other.name == member.name || other.account != nil && other.account == member.account)
        }
        if isTaken { throw Violation("a member's name or account is taken") }
    }

    package func member(_ id: MemberID) -> PanelMember? { panel.members.first { $0.id == id } }

    package func member(named name: String) -> PanelMember? { panel.members.first { $0.name == name } }

    package func member(of account: ProviderAccount) -> PanelMember? { panel.members.first { $0.account == account } }

    package func members(after name: String, limit: Int) -> [PanelMember] {
        let sorted = panel.members.sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        return Array(
            sorted.filter { Array(name.utf8).lexicographicallyPrecedes(Array($0.name.utf8)) }.prefix(limit))
    }

    package func removeMember(_ id: MemberID) {
        panel.links.removeAll { $0.member == id }
        panel.sessions.removeAll { $0.member == id }
        panel.members.removeAll { $0.id == id }
    }

    package func insert(_ grant: MemberGrant) throws {
        let isTaken = panel.grants.contains { $0.member == grant.member && $0.app == grant.app }
        if isTaken { throw Violation("a member has one grant for each app") }
        panel.grants.append(grant)
    }

    package func grants(of member: MemberID) -> [MemberGrant] {
        panel.grants.filter { $0.member == member }.sorted { $0.key < $1.key }
    }

    package func grants(for app: AppID?) -> [MemberGrant] {
        panel.grants.filter { $0.app == app }.sorted { $0.key < $1.key }
    }

    package func removeGrant(_ key: Int64) { panel.grants.removeAll { $0.key == key } }

    package func put(_ link: MemberLink) {
        panel.links.removeAll { $0.member == link.member }
        panel.links.append(link)
    }

    package func link(hash: SecretHash) -> MemberLink? { panel.links.first { $0.hash == hash } }

    package func link(of member: MemberID) -> MemberLink? { panel.links.first { $0.member == member } }

    package func removeLink(hash: SecretHash) -> Bool {
        let before = panel.links.count
        panel.links.removeAll { $0.hash == hash }
        return panel.links.count < before
    }

    package func insert(_ session: MemberSession) -> MemberSession {
        panel.newestSession += 1
        var stored = session
        stored.id = panel.newestSession
        panel.sessions.append(stored)
        return stored
    }

    package func session(hash: SecretHash) -> MemberSession? { panel.sessions.first { $0.hash == hash } }

    package func update(_ session: MemberSession) {
        guard let index = panel.sessions.firstIndex(where: { $0.id == session.id }) else { return }
        panel.sessions[index].usedAt = session.usedAt
        panel.sessions[index].endsAt = session.endsAt
    }

    package func sessions(of member: MemberID) -> [MemberSession] { panel.sessions.filter { $0.member == member } }

    package func removeSession(_ id: Int64, of member: MemberID) -> Bool {
        let before = panel.sessions.count
        panel.sessions.removeAll { $0.id == id && $0.member == member }
        return panel.sessions.count < before
    }

    package func removeEndedSessions(before moment: Instant, limit: Int) -> Int {
        let ended = panel.sessions.filter { $0.endsAt < moment }.sorted { ($0.endsAt, $0.id) < ($1.endsAt, $1.id) }
            .prefix(limit).map(\.id)
        let expired = panel.links.filter { $0.expiresAt < moment }.sorted { $0.expiresAt < $1.expiresAt }
            .prefix(limit).map(\.member)
        panel.sessions.removeAll { ended.contains($0.id) }
        panel.links.removeAll { expired.contains($0.member) }
        return ended.count + expired.count
    }
}

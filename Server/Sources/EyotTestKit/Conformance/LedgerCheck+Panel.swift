import EyotDomain

extension LedgerCheck {
    private static func member(_ name: String, _ ledger: any Ledger) throws -> PanelMember {
        try ledger.insert(PanelMember(name: name, createdAt: ConformanceRows.now))
    }

    private static func session(_ byte: UInt8, of member: PanelMember, ends: Int64 = 0) -> MemberSession {
        var session = MemberSession(
            member: member.id, hash: SecretHash(bytes: [byte]), by: .password, at: ConformanceRows.now)
        session.endsAt = .after(ends)
        return session
    }

    private static func link(_ byte: UInt8, of member: PanelMember, expires: Int64) -> MemberLink {
        MemberLink(
            hash: SecretHash(bytes: [byte]), member: member.id, purpose: .password, createdAt: ConformanceRows.now,
            expiresAt: .after(expires))
    }

    static let panel = [
        LedgerCheck("A member is kept whole, and is found by its name and by its account") { ledger in
            var ana = try member("ana", ledger)
            let bob = try member("bob@example.org", ledger)
            try require(ana.id.rawValue < bob.id.rawValue, "ids do not rise")
            ana.password = PasswordHash(
                cost: PasswordCost(logRounds: 4, blockSize: 1, parallelism: 1), salt: Array(1...16),
                hash: Array(1...32))
            ana.totp = MemberTOTP(sealed: SealedSecret(masterKeyID: "m", box: [1, 2]), lastStep: 7)
            ana.account = ProviderAccount(issuer: "https://id.example.org", subject: "s1")
            ana.disabledAt = .after(5)
            try ledger.update(ana)
            try require(ledger.member(ana.id), is: ana, "as it was stored")
            try require(ledger.member(named: "ana"), is: ana, "by its name")
            try require(ledger.member(named: "Ana"), is: nil, "by another spelling")
            try require(
                ledger.member(of: ProviderAccount(issuer: "https://id.example.org", subject: "s1")), is: ana,
                "by its account")
            try require(
                ledger.member(of: ProviderAccount(issuer: "https://other.example.org", subject: "s1")), is: nil,
                "of another provider")
            try require(ledger.members(after: "", limit: 9), is: [ana, bob], "in order")
            try require(ledger.members(after: "ana", limit: 9), is: [bob], "after the first")
        },
        LedgerCheck("A member has one grant for each app, and one for all of them") { ledger in
            let rows = ConformanceRows(ledger: ledger)
            let (one, two) = (try rows.app("one"), try rows.app("two"))
            let (ana, bob) = (try member("ana", ledger), try member("bob", ledger))
            func grant(_ key: Int64, _ member: PanelMember, _ app: AppID?, _ role: PanelRole) throws -> MemberGrant {
                var grant = MemberGrant(
                    key: key, member: member.id, app: app, role: role, grantedAt: ConformanceRows.now)
                grant.hasProduction = key % 2 == 0
                try ledger.insert(grant)
                return grant
            }
            let viewer = try grant(4, ana, one, .viewer)
            let admin = try grant(3, ana, two, .admin)
            let owner = try grant(5, bob, nil, .owner)
            let other = try grant(6, bob, one, .support)
            try require(ledger.grants(of: ana.id), is: [admin, viewer], "of a member")
            try require(ledger.grants(for: one), is: [viewer, other], "for an app")
            try require(ledger.grants(for: nil), is: [owner], "of owners")
            try ledger.removeGrant(4)
            try require(ledger.grants(for: one), is: [other], "what is left")
        },
        LedgerCheck("A link is used up by one caller, and a new one replaces it") { ledger in
            let (ana, bob) = (try member("ana", ledger), try member("bob", ledger))
            try ledger.put(link(1, of: ana, expires: 10))
            let second = link(2, of: ana, expires: 20)
            try ledger.put(second)
            try ledger.put(link(3, of: bob, expires: 30))
            try require(ledger.link(hash: SecretHash(bytes: [1])), is: nil, "the former one")
            try require(ledger.link(hash: SecretHash(bytes: [2])), is: second, "as it was stored")
            try require(ledger.link(of: ana.id), is: second, "by its member")
            try require(ledger.removeLink(hash: SecretHash(bytes: [2])), is: true, "the first use")
            try require(ledger.removeLink(hash: SecretHash(bytes: [2])), is: false, "the second use")
            try require(ledger.removeEndedSessions(before: .after(31), limit: 9), is: 1, "those that expired")
            try require(ledger.link(of: bob.id), is: nil, "an expired one")
        },
        LedgerCheck("A session is found by its hash, belongs to its member, and goes when it has ended") { ledger in
            let (ana, bob) = (try member("ana", ledger), try member("bob", ledger))
            var first = session(1, of: ana, ends: 10)
            (first.address, first.browser) = ("203.0.113.7", "Safari")
            first = try ledger.insert(first)
            let second = try ledger.insert(session(2, of: ana, ends: 30))
            let third = try ledger.insert(session(3, of: bob, ends: 20))
            try require(ledger.session(hash: SecretHash(bytes: [1])), is: first, "as it was stored")
            (first.usedAt, first.endsAt) = (.after(5), .after(15))
            try ledger.update(first)
            try require(ledger.sessions(of: ana.id), is: [first, second], "of a member")
            try require(ledger.removeSession(third.id, of: ana.id), is: false, "by another member")
            try require(ledger.removeEndedSessions(before: .after(21), limit: 1), is: 1, "up to a limit")
            try require(ledger.session(hash: SecretHash(bytes: [1])), is: nil, "the first to end")
            try require(ledger.session(hash: SecretHash(bytes: [3])), is: third, "one beyond the limit")
            try require(ledger.removeSession(second.id, of: ana.id), is: true, "by its member")
            first.usedAt = .after(9)
            try ledger.update(first)
            try require(ledger.sessions(of: ana.id), is: [], "a removed session that is used")
            _ = try ledger.insert(session(4, of: bob, ends: 90))
            try ledger.put(link(5, of: bob, expires: 90))
            try ledger.removeMember(bob.id)
            try require(ledger.session(hash: SecretHash(bytes: [4])), is: nil, "a session of a removed member")
            try require(ledger.link(hash: SecretHash(bytes: [5])), is: nil, "a link of a removed member")
            try require(ledger.member(bob.id), is: nil, "a removed member")
        },
    ]
}

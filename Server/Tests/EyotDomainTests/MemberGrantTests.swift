import EyotDomain
import Testing

@Suite("Grants that exceed earlier powers")
struct MemberGrantTests {
    private static func grant(_ app: Int64?, _ role: PanelRole, production: Bool = false) -> MemberGrant {
        var grant = MemberGrant(
            key: 0, member: MemberID(rawValue: 1), app: app.map(AppID.init(rawValue:)), role: role,
            grantedAt: Instant(second: 1))
        grant.hasProduction = production || role == .owner
        return grant
    }

    /// The grants of before, the new one, and whether it reaches further than some power over those of before.
    private static let cases: [([MemberGrant], MemberGrant, Bool)] = [
        // Nothing is known of the powers that a member without a role had above it.
        ([], grant(1, .viewer), true),
        ([], grant(nil, .owner), true),
        // The administrators of an app could give each role there themselves.
        ([grant(1, .viewer)], grant(1, .admin), false),
        ([grant(1, .admin)], grant(1, .viewer), false),
        ([grant(1, .viewer)], grant(1, .admin, production: true), true),
        ([grant(1, .viewer, production: true)], grant(1, .admin, production: true), false),
        ([grant(1, .viewer, production: true)], grant(1, .viewer), false),
        ([grant(1, .viewer)], grant(2, .viewer), true),
        ([grant(1, .admin, production: true)], grant(2, .viewer), true),
        ([grant(1, .admin, production: true)], grant(nil, .owner), true),
        // Over roles in two apps only owners have power.
        ([grant(1, .viewer), grant(2, .viewer)], grant(3, .admin, production: true), false),
        ([grant(nil, .owner)], grant(1, .admin, production: true), false),
        ([grant(1, .viewer), grant(nil, .owner)], grant(nil, .owner), false),
    ]

    @Test(arguments: cases.indices)
    func `A grant exceeds a power that could have made a link for the member`(_ index: Int) {
        let (former, new, expected) = Self.cases[index]
        #expect(new.exceedsPower(over: former) == expected)
    }

    private static func member(bound: Bool, password: Bool) -> PanelMember {
        var member = PanelMember(id: MemberID(rawValue: 1), name: "ana", createdAt: Instant(second: 1))
        if bound { member.account = .proxy("ana") }
        if password {
            member.password = PasswordHash(
                cost: .standard, salt: [UInt8](repeating: 0, count: PasswordHash.saltBytes),
                hash: [UInt8](repeating: 0, count: PasswordHash.hashBytes))
        }
        return member
    }

    private static func session(_ method: MemberSession.Method) -> MemberSession {
        MemberSession(
            member: MemberID(rawValue: 1), hash: SecretHash(bytes: [1]), by: method, at: Instant(second: 1))
    }

    @Test(
        "Beside an account, or where one is required, a password and what it left count for nothing",
        arguments: [(true, false), (false, true), (true, true), (false, false)])
    func policy(_ isBound: Bool, _ isRequired: Bool) {
        let policy = SignInPolicy(requiresAccount: isRequired)
        let isFree = !isBound && !isRequired
        for hasPassword in [false, true] {
            let member = Self.member(bound: isBound, password: hasPassword)
            #expect(policy.allowsPassword(member) == isFree)
            #expect(policy.accepts(Self.session(.provider), of: member))
            #expect(policy.accepts(Self.session(.proxy), of: member))
            #expect(policy.accepts(Self.session(.password), of: member) == isFree)
            #expect(policy.accepts(Self.session(.link), of: member) == (isFree || !hasPassword))
        }
    }
}

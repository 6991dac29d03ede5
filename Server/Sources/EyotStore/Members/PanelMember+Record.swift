import EyotDomain

extension PanelMember: SQLRecord {
    static let table = SQLTable(
        "panel_members", key: "id", fixed: ["created_at"],
        changing: [
            "name", "password", "master_key_id", "sealed_totp", "last_step", "issuer", "subject", "disabled_at",
        ])

    var values: [SQLValue] {
        [
            .integer(id.rawValue), SQLValue(createdAt), SQLValue(name), SQLValue(password?.text),
            SQLValue(totp?.sealed.masterKeyID), SQLValue(totp?.sealed.box), SQLValue(totp?.lastStep),
            SQLValue(account?.issuer), SQLValue(account?.subject), SQLValue(disabledAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let (id, createdAt) = (MemberID(rawValue: try columns.number()), try columns.moment())
        self.init(id: id, name: try columns.text(), createdAt: createdAt)
        password = try columns.optionalText().map { text in
            guard let password = PasswordHash(text: text) else { throw columns.unreadable("a hash of a password") }
            return password
        }
        let (key, box) = (try columns.optionalText(), try columns.optionalBytes())
        let step = try columns.optionalNumber()
        if let key, let box, let step {
            totp = MemberTOTP(sealed: SealedSecret(masterKeyID: key, box: box), lastStep: step)
        }
        let (issuer, subject) = (try columns.optionalText(), try columns.optionalText())
        if let issuer, let subject { account = ProviderAccount(issuer: issuer, subject: subject) }
        disabledAt = try columns.optionalMoment()
    }
}

extension MemberGrant: SQLRecord {
    static let table = SQLTable(
        "member_grants", key: "key", fixed: ["member", "app", "role", "production", "granted_at"], changing: [])

    var values: [SQLValue] {
        [
            .integer(key), .integer(member.rawValue), SQLValue(app), SQLValue(role.rawValue),
            SQLValue(hasProduction), SQLValue(grantedAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let (key, member) = (try columns.number(), MemberID(rawValue: try columns.number()))
        let app = try columns.optionalNumber().map(AppID.init(rawValue:))
        let (role, hasProduction) = (try columns.word(PanelRole.self), try columns.flag())
        self.init(key: key, member: member, app: app, role: role, grantedAt: try columns.moment())
        self.hasProduction = hasProduction
    }
}

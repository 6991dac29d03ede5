import EyotDomain

private enum Statements {
    static let one = SQLStatement("SELECT was_phones FROM backend_names WHERE app = ?1 AND kind = ?2 AND name = ?3")
    static let insert = SQLStatement(
        "INSERT INTO backend_names (app, kind, name, was_phones) VALUES (?1, ?2, ?3, ?4)")
    /// A phone that has given the name to itself. The backend has not set the name yet, so no device has it from there.
    static let taggedPhone = SQLStatement(
        "SELECT device FROM device_tags WHERE app = ?1 AND tag = ?2 AND tag_group = '' LIMIT 1")
    static let phoneWithAttribute = SQLStatement(
        "SELECT device FROM attribute_values WHERE app = ?1 AND name = ?2 LIMIT 1")
}

extension SQLLedger {
    package func backendName(_ name: TraitName, in app: AppID) throws -> BackendName? {
        try connection.rows(Statements.one, [SQLValue(app)] + name.key) {
            BackendName(name, wasPhones: try $0.flag())
        }.first
    }

    /// Makes the new names the backend's own. The caller writes their first tags and values afterwards.
    func note(_ traits: Traits, after former: Traits, in app: AppID) throws {
        for name in traits.names.subtracting(former.names)
        where try notedNames.insert(AppName(app: app, name: name)).inserted && backendName(name, in: app) == nil {
            let phones: SQLStatement
            let text: String
            switch name {
            case .tag(let tag): (phones, text) = (Statements.taggedPhone, tag)
            case .attribute(let attribute): (phones, text) = (Statements.phoneWithAttribute, attribute)
            }
            let wasPhones = try !connection.rows(phones, [SQLValue(app), SQLValue(text)]) { try $0.number() }.isEmpty
            try connection.queue(Statements.insert, [SQLValue(app)] + name.key + [SQLValue(wasPhones)])
        }
    }
}

extension TraitName {
    /// The kind and the text of the name.
    fileprivate var key: [SQLValue] {
        switch self {
        case .tag(let name): [.text("tag"), SQLValue(name)]
        case .attribute(let name): [.text("attribute"), SQLValue(name)]
        }
    }
}

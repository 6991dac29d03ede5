import EyotContract
import EyotDomain

/// Tags belong to users and to devices. `device_tags` has all tags of a device: its own, and those of its user. It
/// holds nothing of its own. Its rows are in the order in which audiences are read: by tag, then by device.
/// `attribute_values` does the same for attributes.
private enum Statements {
    static let clearTagsOfDevice = SQLStatement("DELETE FROM device_tags WHERE device = ?1")
    static let tagDevice = SQLStatement(
        """
        INSERT INTO device_tags (app, tag, tag_group, device) \
        SELECT app, tag, tag_group, ?1 FROM user_tags WHERE app = ?2 AND external_id = ?3 \
        UNION SELECT app, tag, tag_group, device FROM device_own_tags WHERE device = ?1
        """)
    static let clearValues = SQLStatement("DELETE FROM attribute_values WHERE device = ?1 AND owner = ?2")
    static let addValue = SQLStatement(
        "INSERT INTO attribute_values (device, owner, app, name, by_backend, kind, value) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"
    )
    static let ownTags = SQLStatement("SELECT tag, tag_group FROM device_own_tags WHERE device = ?1 AND source = ?2")
    static let clearOwnTags = SQLStatement("DELETE FROM device_own_tags WHERE device = ?1 AND source = ?2")
    static let addOwnTag = SQLStatement(
        "INSERT INTO device_own_tags (device, source, app, tag, tag_group) VALUES (?1, ?2, ?3, ?4, ?5)")
    static let attributes = SQLStatement(
        "SELECT attributes FROM device_attributes WHERE device = ?1 AND source = ?2")
    static let putAttributes = SQLStatement(
        """
        INSERT INTO device_attributes (device, source, app, attributes) VALUES (?1, ?2, ?3, ?4) \
        ON CONFLICT (device, source) DO UPDATE SET attributes = excluded.attributes
        """)
    static let removeOwnTags = SQLStatement("DELETE FROM device_own_tags WHERE device = ?1")
    static let removeAttributes = SQLStatement("DELETE FROM device_attributes WHERE device = ?1")
    static let removeValues = SQLStatement("DELETE FROM attribute_values WHERE device = ?1")
}

/// The source of a device's traits.
private enum TraitSource: String {
    case app, backend
}

extension SQLLedger {
    package func deviceProfile(of device: DeviceID) throws -> DeviceProfile {
        let traits = try traits(of: device, by: .app)
        return DeviceProfile(tags: traits.tags, attributes: traits.attributes)
    }

    package func put(_ profile: DeviceProfile, of device: Device) throws {
        try put(Traits(tags: profile.tags, attributes: profile.attributes), of: device, by: .app)
    }

    package func deviceTraits(of device: DeviceID) throws -> Traits { try traits(of: device, by: .backend) }

    package func put(_ traits: Traits, of device: Device) throws { try put(traits, of: device, by: .backend) }

    private func traits(of device: DeviceID, by source: TraitSource) throws -> Traits {
        let key = [SQLValue(device), SQLValue(source.rawValue)]
        let attributes = try connection.rows(Statements.attributes, key) { try $0.attributes() }.first
        let tags = try connection.rows(Statements.ownTags, key) { try $0.tag() }
        return Traits(tags, attributes: attributes ?? [:])
    }

    private func put(_ traits: Traits, of device: Device, by source: TraitSource) throws {
        let former = try self.traits(of: device.id, by: source)
        guard traits != former else { return }
        if source == .backend { try note(traits, after: former, in: device.app) }
        let key = [SQLValue(device.id), SQLValue(source.rawValue)]
        if traits.allTags != former.allTags {
            try connection.queue(Statements.clearOwnTags, key)
            for tag in traits.allTags {
                try connection.queue(
                    Statements.addOwnTag,
                    key + [SQLValue(device.app), SQLValue(tag.name), SQLValue(tag.group ?? "")])
            }
            try tag(device.id, of: device.user, in: device.app)
        }
        guard traits.attributes != former.attributes else { return }
        try connection.queue(
            Statements.putAttributes, key + [SQLValue(device.app), SQLValue(attributes: traits.attributes)])
        // A value of the backend replaces the app's value of the same name.
        let others = try self.traits(of: device.id, by: source == .app ? .backend : .app).attributes
        let (backends, phones) = source == .app ? (others, traits.attributes) : (traits.attributes, others)
        try clearValues(of: .device, on: device.id)
        try add(backends, of: .device, byBackend: true, on: device.id, in: device.app)
        let rest = phones.filter { backends[$0.key] == nil }
        try add(rest, of: .device, byBackend: false, on: device.id, in: device.app)
    }

    /// Rewrites a device's tags from its own and those of its user.
    func tag(_ device: DeviceID, of user: String?, in app: AppID) throws {
        try connection.queue(Statements.clearTagsOfDevice, [SQLValue(device)])
        try connection.queue(Statements.tagDevice, [SQLValue(device), SQLValue(app), SQLValue(user)])
    }

    /// Rewrites the attribute values that a device has by its user.
    func set(_ attributes: [String: AttributeValue], ofUserOf device: DeviceID, in app: AppID) throws {
        try clearValues(of: .user, on: device)
        try add(attributes, of: .user, byBackend: true, on: device, in: app)
    }

    private func clearValues(of owner: TraitOwner, on device: DeviceID) throws {
        try connection.queue(Statements.clearValues, [SQLValue(device), SQLValue(owner.rawValue)])
    }

    private func add(
        _ attributes: [String: AttributeValue], of owner: TraitOwner, byBackend: Bool, on device: DeviceID,
        in app: AppID
    ) throws {
        for (name, value) in attributes {
            let key = [
                SQLValue(device), SQLValue(owner.rawValue), SQLValue(app), SQLValue(name), SQLValue(byBackend),
            ]
            for facet in value.facets {
                try connection.queue(Statements.addValue, key + [SQLValue(facet.kind), SQLValue(facet.text)])
            }
        }
    }

    /// Removes all tags and attributes of a device, and those that it has by its user.
    func removeTraits(of device: DeviceID) throws {
        for statement in [
            Statements.clearTagsOfDevice, Statements.removeOwnTags, Statements.removeAttributes,
            Statements.removeValues,
        ] {
            try connection.queue(statement, [SQLValue(device)])
        }
    }
}

extension SQLColumns {
    /// A tag and its group.
    mutating func tag() throws -> Tag {
        let (name, group) = (try text(), try text())
        return Tag(name, group: group.isEmpty ? nil : group)
    }

    mutating func attributes() throws -> [String: AttributeValue] {
        var attributes: [String: AttributeValue] = [:]
        for member in try json().object?.members ?? [] {
            guard let value = AttributeValue(json: member.value) else { throw unreadable("attributes") }
            attributes[member.name] = value
        }
        return attributes
    }
}

extension SQLValue {
    /// Writes the attributes sorted by name, so that equal ones always have the same text.
    init(attributes: [String: AttributeValue]) {
        self = .text(attributes.json.text)
    }
}

extension [String: AttributeValue] {
    fileprivate var json: JSONValue { .object(JSONObject(sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })) }
}

import EyotDomain

/// What the bodies of one commit read again and again, and hardly ever change: apps and what belongs to them.
///
/// All bodies of a commit run in one transaction, one after the other. So a row that one of them has read is the same
/// for the next, unless one of them changes it. Then everything is forgotten.
final class CommitMemory {
    struct TypeOfApp: Hashable {
        var app: AppID
        var type: String
    }

    private var apps: [AppID: App?] = [:]
    private var keys: [AppID: [APNSKey]] = [:]
    private var profiles: [TypeOfApp: TypeProfile?] = [:]
    private var schemas: [TypeOfApp: Bool] = [:]

    func app(_ id: AppID, _ read: () throws -> App?) rethrows -> App? { try recall(id, in: &apps, read) }

    func apnsKeys(of app: AppID, _ read: () throws -> [APNSKey]) rethrows -> [APNSKey] {
        try recall(app, in: &keys, read)
    }

    func profile(_ place: TypeOfApp, _ read: () throws -> TypeProfile?) rethrows -> TypeProfile? {
        try recall(place, in: &profiles, read)
    }

    func hasSchemas(_ place: TypeOfApp, _ read: () throws -> Bool) rethrows -> Bool {
        try recall(place, in: &schemas, read)
    }

    /// For a change, and for a body that was undone.
    func forget() { (apps, keys, profiles, schemas) = ([:], [:], [:], [:]) }

    private func recall<Key: Hashable, Value>(
        _ key: Key, in known: inout [Key: Value], _ read: () throws -> Value
    ) rethrows -> Value {
        if let value = known[key] { return value }
        let value = try read()
        known[key] = value
        return value
    }
}

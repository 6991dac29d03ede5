/// What lets a phone join a private activity: made by the server, handed to the app by its own backend.
///
/// Whoever has it sees what the activity shows, so its description says nothing of it.
public struct JoinSecret: Sendable, Hashable {
    /// The whole. For the wire and the store, never for a log.
    public let text: String

    /// Nil where there is no text, or more than ``DeviceLimits/joinSecretBytes``.
    public init?(_ text: String) {
        guard (1...DeviceLimits.joinSecretBytes).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { return nil }
        self.text = text
    }
}

extension JoinSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How long it is.
    public var description: String { "a join secret of \(text.utf8.count) bytes" }
    /// The same.
    public var debugDescription: String { description }
    /// What `dump` and test reports show.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": text.utf8.count]) }
}

extension JSONFields {
    /// A member that is a join secret.
    mutating func joinSecret(_ name: String) throws(JSONFieldError) -> JoinSecret? {
        guard let text = try string(name) else { return nil }
        guard let secret = JoinSecret(text) else { throw invalid(name, Self.joinSecretRule) }
        return secret
    }

    /// A member with join secrets by the names of activities.
    mutating func joinSecrets(_ name: String) throws(JSONFieldError) -> [String: JoinSecret] {
        guard let object = try object(name)?.object else { return [:] }
        guard object.members.count <= DeviceLimits.changesPerBatch else {
            throw invalid(name, "may have at most \(DeviceLimits.changesPerBatch) members")
        }
        var secrets: [String: JoinSecret] = [:]
        for member in object.members {
            guard DeviceLimits.isIdentifier(member.name) else {
                throw invalid(name, "has a name that is none: it \(DeviceLimits.identifierRule)")
            }
            guard let secret = member.value.string.flatMap(JoinSecret.init) else {
                throw invalid("\(name).\(member.name)", Self.joinSecretRule)
            }
            secrets[member.name] = secret
        }
        return secrets
    }

    private static var joinSecretRule: String {
        "must be 1 to \(DeviceLimits.joinSecretBytes) visible ASCII characters"
    }
}

/// The secret that lets a phone join a private activity. The server makes it, and the app's backend gives it to the
/// app.
///
/// It opens the activity's content, so its description contains none of it.
public struct JoinSecret: Sendable, Hashable {
    /// The whole secret. For the wire and the store, never for a log.
    public let text: String

    /// Nil if the text is empty, is longer than ``DeviceLimits/joinSecretBytes`` or has other characters than visible
    /// ASCII.
    public init?(_ text: String) {
        guard (1...DeviceLimits.joinSecretBytes).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { return nil }
        self.text = text
    }
}

extension JoinSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length only.
    public var description: String { "a join secret of \(text.utf8.count) bytes" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The content for `dump` and test reports: the length only.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": text.utf8.count]) }
}

extension JSONFields {
    /// Reads a member that is a join secret.
    mutating func joinSecret(_ name: String) throws(JSONFieldError) -> JoinSecret? {
        guard let text = try string(name) else { return nil }
        guard let secret = JoinSecret(text) else { throw invalid(name, Self.joinSecretRule) }
        return secret
    }

    /// Reads a member with join secrets by the names of activities.
    mutating func joinSecrets(_ name: String) throws(JSONFieldError) -> [String: JoinSecret] {
        guard let object = try object(name)?.object else { return [:] }
        guard object.members.count <= DeviceLimits.changesPerBatch else {
            throw invalid(name, "must have at most \(DeviceLimits.changesPerBatch) members")
        }
        var secrets: [String: JoinSecret] = [:]
        for member in object.members {
            guard DeviceLimits.isIdentifier(member.name) else {
                throw invalid(name, "has an invalid member name: it \(DeviceLimits.identifierRule)")
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

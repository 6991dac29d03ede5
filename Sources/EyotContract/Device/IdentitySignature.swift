/// What an app's own backend signed about a person: a JWT in its compact form, whose `sub` is the user's id.
///
/// It proves who somebody is, so its description says nothing of it.
public struct IdentitySignature: Sendable, Hashable {
    /// The whole. For the wire and the store, never for a log.
    public let text: String

    /// Nil where there is no text, or more than ``DeviceLimits/signatureBytes``.
    public init?(_ text: String) {
        guard (1...DeviceLimits.signatureBytes).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { return nil }
        self.text = text
    }
}

extension IdentitySignature: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How long it is.
    public var description: String { "a signature of \(text.utf8.count) bytes" }
    /// The same.
    public var debugDescription: String { description }
    /// What `dump` and test reports show.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": text.utf8.count]) }
}

extension JSONFields {
    /// A member that is a signed identity.
    mutating func identitySignature(_ name: String) throws(JSONFieldError) -> IdentitySignature? {
        guard let text = try string(name) else { return nil }
        guard let signature = IdentitySignature(text) else {
            throw invalid(name, "must be a JWT of at most \(DeviceLimits.signatureBytes) bytes")
        }
        return signature
    }
}

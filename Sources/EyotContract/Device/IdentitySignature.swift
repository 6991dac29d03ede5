/// A user's id signed by the app's own backend: a JWT in its compact form with the id as `sub`.
///
/// It proves an identity, so its description contains none of it.
public struct IdentitySignature: Sendable, Hashable {
    /// The whole JWT. For the wire and the store, never for a log.
    public let text: String

    /// Nil if the text is empty, is longer than ``DeviceLimits/signatureBytes`` or has other characters than visible
    /// ASCII.
    public init?(_ text: String) {
        guard (1...DeviceLimits.signatureBytes).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
        else { return nil }
        self.text = text
    }
}

extension IdentitySignature: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length only.
    public var description: String { "a signature of \(text.utf8.count) bytes" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The content for `dump` and test reports: the length only.
    public var customMirror: Mirror { Mirror(self, children: ["bytes": text.utf8.count]) }
}

extension JSONFields {
    /// Reads a member that is a signed identity.
    mutating func identitySignature(_ name: String) throws(JSONFieldError) -> IdentitySignature? {
        guard let text = try string(name) else { return nil }
        guard let signature = IdentitySignature(text) else {
            throw invalid(name, "must be a JWT of at most \(DeviceLimits.signatureBytes) bytes")
        }
        return signature
    }
}

/// A push token from ActivityKit, as opaque bytes.
///
/// Apple says not to assume a size; Live Activity tokens of 80 bytes have been seen. The description is shortened so
/// that no log gets a whole token by accident. ``hex`` is the whole token.
public struct PushToken: Sendable, Hashable {
    /// The longest token that is accepted, in bytes. The value is a guess with room: the longest reported token has 80.
    public static let maximumLength = 200

    /// The token's bytes, 1 to ``maximumLength`` of them.
    public let bytes: [UInt8]

    /// Nil if there are no bytes or more than ``maximumLength``.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard (1...Self.maximumLength).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Nil if the text is not a token in hexadecimal digits.
    public init?(hex: some StringProtocol) {
        guard let bytes = HexBytes.bytes(of: hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The whole token in lower-case hexadecimal digits. For the wire and the store, never for a log.
    public var hex: String { HexBytes.text(of: bytes) }
}

extension PushToken {
    /// First and last digits, `0a1b…9f00`, which tell tokens apart. A token of up to 8 bytes shows none.
    public var fingerprint: String {
        guard bytes.count > 8 else { return "…" }
        return "\(HexBytes.text(of: bytes.prefix(2)))…\(HexBytes.text(of: bytes.suffix(2)))"
    }
}

extension PushToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The ``fingerprint`` and the length: `0a1b…9f00 (80 bytes)`.
    public var description: String { "\(fingerprint) (\(bytes.count) bytes)" }

    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The content for `dump` and test reports: the shortened text, not the bytes.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}

/// One of Apple's two push services. A token belongs to one of them and cannot be used in the other.
public enum PushEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
    /// The service for builds that run from Xcode.
    case sandbox
    /// The service for TestFlight and the App Store.
    case production

    /// The other one.
    public var other: PushEnvironment { self == .sandbox ? .production : .sandbox }
}

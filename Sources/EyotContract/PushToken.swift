/// A push token as ActivityKit hands it out: opaque bytes.
///
/// Apple asks not to assume a size; Live Activity tokens of 80 bytes have been seen. Its description is shortened, so that
/// a token cannot reach a log whole by accident; ``hex`` is the whole.
public struct PushToken: Sendable, Hashable {
    /// The longest token that we take, in bytes. A guess with room: the longest one reported has 80.
    public static let maximumLength = 200

    /// The token's bytes, 1 to ``maximumLength`` of them.
    public let bytes: [UInt8]

    /// Nil where there are no bytes or too many.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard (1...Self.maximumLength).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Nil where the text is not a token in hexadecimal digits.
    public init?(hex: some StringProtocol) {
        guard let bytes = HexBytes.bytes(of: hex) else { return nil }
        self.init(bytes: bytes)
    }

    /// The whole token in lower-case hexadecimal digits. For the wire and the store, never for a log.
    public var hex: String { HexBytes.text(of: bytes) }
}

extension PushToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// First and last digits and the length: `0a1b…9f00 (80 bytes)`.
    public var description: String {
        guard bytes.count > 8 else { return "… (\(bytes.count) bytes)" }
        return "\(hex.prefix(4))…\(hex.suffix(4)) (\(bytes.count) bytes)"
    }

    /// The same shortened text.
    public var debugDescription: String { description }
    /// What `dump` and test reports show: the shortened text, not the bytes.
    public var customMirror: Mirror { Mirror(self, children: ["token": description]) }
}

/// Which of Apple's two push services a token belongs to. Tokens are not exchangeable between them.
public enum PushEnvironment: String, Sendable, Hashable, CaseIterable, Codable {
    /// Builds run from Xcode.
    case sandbox
    /// TestFlight and the App Store.
    case production

    /// The other one.
    public var other: PushEnvironment { self == .sandbox ? .production : .sandbox }
}

import Foundation

/// A checked URL of a receiver, in a form that each reader of URLs reads alike.
package struct WebhookURL: Sendable, Hashable {
    /// The most bytes of a URL.
    package static let bytes = 2_000

    /// The URL with the scheme and the host in small letters.
    package let text: String
    /// The host name, or the address without brackets.
    package let host: String
    package let port: Int
    package let isEncrypted: Bool

    /// Checks a URL.
    ///
    /// - Throws: ``Problem`` with the rule that the text breaks.
    package init(_ text: String) throws(Problem) {
        guard (1...Self.bytes).contains(text.utf8.count), text.utf8.allSatisfy(Self.mayStand),
            let parts = URLComponents(string: text)
        else { throw Problem("must be a URL of at most \(Self.bytes) printable ASCII characters") }
        guard let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http" else {
            throw Problem("must begin with https://")
        }
        guard parts.user == nil, parts.password == nil, !text.contains("@") || Self.isBehindHost("@", in: text) else {
            throw Problem("must have no user and no password")
        }
        guard parts.fragment == nil, !text.contains("#") else { throw Problem("must have no fragment") }
        guard let host = parts.host?.lowercased(), let bare = Self.bare(host) else {
            throw Problem("must have a host name, or an address")
        }
        isEncrypted = scheme == "https"
        port = parts.port ?? (isEncrypted ? 443 : 80)
        guard port == 443 || port == 80 || (1_024...65_535).contains(port) else {
            throw Problem("must have the port 443 or 80, or one from 1024 to 65535")
        }
        self.host = bare
        let place = bare.contains(":") ? "[\(bare)]" : bare
        let query = parts.percentEncodedQuery.map { "?\($0)" } ?? ""
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.text = "\(scheme)://\(place)\(parts.port.map { ":\($0)" } ?? "")\(path)\(query)"
    }

    /// The rule that a text breaks, for a sentence that begins with the name of the field.
    package struct Problem: Error, Sendable, Hashable {
        package let rule: String
        init(_ rule: String) { self.rule = rule }
    }

    private static let refused = Set("\"<>\\^`{|}".utf8)

    private static func mayStand(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) && !refused.contains(byte) }

    /// Whether a character first stands after the host, in the path or the query.
    private static func isBehindHost(_ character: Character, in text: String) -> Bool {
        guard let begin = text.range(of: "://")?.upperBound else { return false }
        return !text[begin...].prefix { !"/?#".contains($0) }.contains(character)
    }

    /// The host without brackets; nil if it is none.
    private static func bare(_ host: String) -> String? {
        if host.hasPrefix("[") || host.contains(":") {
            let inner = host.trimmingPrefix("[")
            let bare = inner.hasSuffix("]") ? inner.dropLast() : inner
            return bare.contains(":") && bare.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
                ? String(bare) : nil
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2d || byte == 0x5f
                }
        }
        return isName && host.utf8.count <= 253 ? host : nil
    }
}

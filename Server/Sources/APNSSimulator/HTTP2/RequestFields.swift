import NIOHPACK

/// HTTP/2's rules for the header fields of a request (RFC 9113, sections 8.1 to 8.3). A message that breaks them is
/// malformed, so Apple's own checks do not apply to it.
enum RequestFields {
    private static let connectionSpecific: Set<String> = [
        "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade",
    ]

    /// The pseudo fields come first, each once: method, scheme and path have to be there, the authority may be.
    static func areRequest(_ headers: HPACKHeaders) -> Bool {
        var seen: (method: Bool, scheme: Bool, path: Bool, authority: Bool) = (false, false, false, false)
        var isPastPseudo = false
        for (name, value, _) in headers {
            guard name.utf8.first == UInt8(ascii: ":") else {
                isPastPseudo = true
                guard isField(name, value) else { return false }
                continue
            }
            guard !isPastPseudo, isValue(value) else { return false }
            switch name {
            case ":method" where !seen.method: seen.method = true
            case ":scheme" where !seen.scheme: seen.scheme = true
            case ":path" where !seen.path && !value.isEmpty: seen.path = true
            case ":authority" where !seen.authority: seen.authority = true
            default: return false
            }
        }
        return seen.method && seen.scheme && seen.path
    }

    /// Fields after the body have no pseudo fields.
    static func areTrailers(_ headers: HPACKHeaders) -> Bool {
        headers.allSatisfy { name, value, _ in name.utf8.first != UInt8(ascii: ":") && isField(name, value) }
    }

    /// Whether the body has the announced length, if the header fields announce any.
    static func announce(_ length: Int, _ headers: HPACKHeaders) -> Bool {
        headers.allSatisfy { name, value, _ in name != "content-length" || Int(value) == length }
    }

    private static func isField(_ name: String, _ value: String) -> Bool {
        guard isName(name), isValue(value) else { return false }
        if name == "te" { return value == "trailers" }
        return !connectionSpecific.contains(name)
    }

    /// A token of HTTP in lower case.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "!"), 0x23...0x27: true
                case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "^"), 0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }

    /// Nothing that ends a line or a text, and no white space around it.
    private static func isValue(_ value: String) -> Bool {
        let bytes = value.utf8
        guard let first = bytes.first, let last = bytes.last else { return true }
        guard first != 0x20, first != 0x09, last != 0x20, last != 0x09 else { return false }
        return bytes.allSatisfy { $0 != 0 && $0 != 0x0A && $0 != 0x0D }
    }
}

import EyotDomain

/// What other programs read in a path, such as a proxy in front of the server.
///
/// A proxy lets callers through by the beginning of a path. Most proxies decode the path, drop empty segments and
/// resolve dots before they compare it, and then pass on what the caller wrote. The server compares the literal
/// segments of a route with the bytes of the path, and decodes a name once. Both see the same beginning as long as no
/// segment is empty and none is a dot segment, however often the path is decoded: names stand behind literal segments,
/// and nothing else leads from a name back to what stands before it.
///
/// A slash inside a name, as `%2F`, is a part of the name for the server, and a further segment for a proxy. It cannot
/// change the beginning. It is refused only where a proxy shares out the paths of one listener. Decision 0034 has more.
struct PathReading {
    private enum Fault: String {
        case dots = "a segment that is . or .."
        case empty = "an empty segment"
        case character = "a backslash or a #"
        case nested = "an escape within escapes"
        case slash = "an escaped slash or backslash, which behind a proxy needs EYOT_CONTROL_PORT"
    }

    /// How often a path is decoded in search of a fault. What is encoded more often is refused.
    private static let decodings = 4

    /// Whether a name may contain a slash or a backslash.
    var allowsSlashInName = true
    /// Whether a name may contain dot segments, as at the panel. Its listener leads to nothing that is not the panel's,
    /// and its pages have to show each name.
    var allowsDotsInName = false

    /// Checks a path before a route is looked for.
    ///
    /// - Throws: `pathAmbiguous`.
    func check(_ path: Substring) throws(EyotError) {
        // No route has a target that is no path.
        guard path.first == "/", Self.isSuspect(path), let fault = fault(in: path) else { return }
        throw EyotError(.pathAmbiguous, "the path has \(fault.rawValue)")
    }

    /// Whether a path has a byte that a fault needs. Most paths do not.
    private static func isSuspect(_ path: Substring) -> Bool {
        var former: UInt8 = 0
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "#"): return true
            case UInt8(ascii: "."), UInt8(ascii: "/"): if former == UInt8(ascii: "/") { return true }
            default: break
            }
            former = byte
        }
        return false
    }

    private func fault(in path: Substring) -> Fault? {
        var bytes = Array(path.utf8)
        if bytes.contains(UInt8(ascii: "\\")) || bytes.contains(UInt8(ascii: "#")) { return .character }
        let segments = bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // Some vendors' clients end a path with a slash.
        if segments.dropLast().contains(where: \.isEmpty) { return .empty }
        let slashes = segments.count
        for decoding in 0...Self.decodings {
            let segments = bytes.dropFirst().split(omittingEmptySubsequences: false) {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
            }
            if decoding == 0 || !allowsDotsInName, segments.contains(where: Self.isDots) { return .dots }
            if !allowsSlashInName, segments.count > slashes { return .slash }
            let decoded = Self.decoded(bytes)
            guard decoded != bytes else { return nil }
            bytes = decoded
        }
        return .nested
    }

    /// Whether a segment is `.` or `..`, also before parameters or a NUL, where some programs cut it off.
    private static func isDots(_ segment: ArraySlice<UInt8>) -> Bool {
        let name = segment.prefix { $0 != UInt8(ascii: ";") && $0 != 0 }
        return (1...2).contains(name.count) && name.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    /// Decodes each escape once. Broken ones stay as they are.
    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(UnicodeScalar($0)).hexDigitValue }
            guard byte == UInt8(ascii: "%"), digits.count == 2 else {
                decoded.append(byte)
                continue
            }
            decoded.append(UInt8(digits[0] * 16 + digits[1]))
            rest = rest.dropFirst(2)
        }
        return decoded
    }
}

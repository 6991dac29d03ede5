import NIOCore

/// One element of a list in a header that proxies append to.
struct ForwardedElement {
    private let text: Substring

    /// Removes the last element of a list. Commas in quoted text do not separate elements.
    static func last(of list: inout Substring) -> ForwardedElement? {
        guard !list.isEmpty else { return nil }
        var isQuoted = false
        var start = list.endIndex
        while start > list.startIndex {
            let before = list.index(before: start)
            if list[before] == "\"" { isQuoted.toggle() }
            if list[before] == ",", !isQuoted { break }
            start = before
        }
        let element = ForwardedElement(text: Self.trimmed(list[start...]))
        list = start > list.startIndex ? list[..<list.index(before: start)] : ""
        return element
    }

    /// The element as an address, with or without a port; nil if it is none.
    var address: SocketAddress? { Self.address(text) }

    /// The address of `for=` in an element of RFC 7239; nil if there is none, more than one, or no address.
    var node: SocketAddress? {
        var node: Substring?
        for pair in pairs {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            guard Self.trimmed(parts[0]).lowercased() == "for" else { continue }
            guard node == nil else { return nil }
            node = Self.trimmed(parts[1])
        }
        guard var node else { return nil }
        if node.hasPrefix("\"") {
            guard node.count > 1, node.hasSuffix("\"") else { return nil }
            node = node.dropFirst().dropLast()
        }
        return Self.address(node)
    }

    /// The parts between unquoted semicolons.
    private var pairs: [Substring] {
        var isQuoted = false
        return text.split(omittingEmptySubsequences: false) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == ";" && !isQuoted
        }
    }

    /// `203.0.113.7`, `203.0.113.7:80`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:80`.
    private static func address(_ text: Substring) -> SocketAddress? {
        // A longer text is not an address.
        guard text.utf8.count <= 64 else { return nil }
        var host = text
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            guard host.contains(":") else { return nil }
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            guard isPort(text[colon...]) else { return nil }
            host = text[..<colon]
        }
        // A zone such as %eth0 belongs to the proxy's machine.
        guard !host.contains("%"), !host.contains("\0") else { return nil }
        return try? SocketAddress(ipAddress: String(host), port: 0)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.hasPrefix(":") && (1...5).contains(text.count - 1)
                && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        return start.dropLast(start.reversed().prefix { $0 == " " || $0 == "\t" }.count)
    }
}

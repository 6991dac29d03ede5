/// Ids of operations as UUIDs, for APIs that use these as ids.
package enum OperationUUID {
    /// The prefix of a UUID of version 8, which is free for any use. The operation's number follows it.
    private static let prefix = "00000000-0000-8000-8000-"
    private static let digits = 12

    package static func text(of id: Int64) -> String {
        let text = String(id, radix: 16)
        return prefix + String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// Returns the operation's number; nil if the text is not such an id.
    package static func id(in text: String) -> Int64? {
        let text = text.lowercased()
        guard text.hasPrefix(prefix), let id = Int64(text.dropFirst(prefix.count), radix: 16), self.text(of: id) == text
        else { return nil }
        return id
    }
}

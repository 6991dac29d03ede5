/// Ids of operations for those whose ids are UUIDs.
package enum OperationUUID {
    /// Of the version that is left to everybody, with the operation's number at its end.
    private static let prefix = "00000000-0000-8000-8000-"
    private static let digits = 12

    package static func text(of id: Int64) -> String {
        let text = String(id, radix: 16)
        return prefix + String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// The operation's number; nil where it is no such id.
    package static func id(in text: String) -> Int64? {
        let text = text.lowercased()
        guard text.hasPrefix(prefix), let id = Int64(text.dropFirst(prefix.count), radix: 16), self.text(of: id) == text
        else { return nil }
        return id
    }
}

/// A reader that says of rising numbers whether they are pending on a list. It reads the list once, in parts, and skips
/// numbers that are not asked for.
package struct PendingReader {
    private let ledger: any MemberLedger
    private var list: MemberList
    /// The part that was read last, without the numbers that are behind.
    private var part: ArraySlice<Int64> = []
    /// Whether the list has no further members.
    package private(set) var isOver = false

    package init(_ ledger: any MemberLedger, of list: MemberList) {
        self.ledger = ledger
        self.list = list
    }

    /// Whether a number is pending on the list.
    ///
    /// - Parameter number: not below a number that was asked for before.
    package mutating func contains(_ number: Int64) throws -> Bool {
        while !isOver {
            part = part.drop { $0 < number }
            if let next = part.first { return next == number }
            list.processed = max(list.processed, number - 1)
            part = try ledger.pending(of: list, limit: MemberRuns.capacity)[...]
            isOver = part.isEmpty
        }
        return false
    }
}

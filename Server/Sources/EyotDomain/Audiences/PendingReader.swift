/// Says of rising numbers whether they wait on a list. It reads the list once, part by part, and passes over what nobody asks for.
package struct PendingReader {
    private let ledger: any MemberLedger
    private var list: MemberList
    /// What was read last, and from where on it is looked at.
    private var part: ArraySlice<Int64> = []
    /// Nobody else waits.
    package private(set) var isOver = false

    package init(_ ledger: any MemberLedger, of list: MemberList) {
        self.ledger = ledger
        self.list = list
    }

    /// - Parameter number: none below those that were asked for before.
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

import EyotDomain

/// Whose lists are told next: one of each app in a round, and an app's own by turns. However many one app has, and however large, the
/// others' are told as if it had one (R10).
package struct ListTurns: Sendable {
    /// The list of each app that had its turn last.
    private var last: [AppID: Int64] = [:]

    package init() {}

    /// The next list of each app that has any. It only reads.
    package mutating func next(in ledger: any Ledger) throws -> [MemberList] {
        var (lists, turns): ([MemberList], [AppID: Int64]) = ([], [:])
        for app in try ledger.apps() {
            let next = try ledger.memberLists(of: app.id, after: last[app.id] ?? 0, limit: 1)
            guard let list = try next.first ?? ledger.memberLists(of: app.id, after: 0, limit: 1).first else {
                continue
            }
            turns[app.id] = list.id
            lists.append(list)
        }
        last = turns
        return lists
    }
}

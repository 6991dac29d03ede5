import EyotDomain

/// The order in which lists are processed: one list of each app in a round, and an app's own lists in turn. The number
/// and size of an app's lists do not slow down other apps (R10).
package struct ListTurns: Sendable {
    /// The list of each app that had its turn last.
    private var last: [AppID: Int64] = [:]

    package init() {}

    /// The next list of each app that has any. It only reads.
    package mutating func next(in ledger: any Ledger) throws -> [MemberList] {
        let former = last
        last = [:]
        return try ledger.apps().compactMap { app in
            last[app.id] = former[app.id]
            return try next(of: app.id, in: ledger)
        }
    }

    /// The next list of one app: the first after the last one. It only reads.
    package mutating func next(of app: AppID, in ledger: any Ledger) throws -> MemberList? {
        let next = try ledger.memberLists(of: app, after: last[app] ?? 0, limit: 1).first
        let list = try next ?? ledger.memberLists(of: app, after: 0, limit: 1).first
        last[app] = list?.id
        return list
    }
}

/// Rows that every app has more and more of. They are numbered as they come, and the newest stay.
package enum AppLog: Sendable, Hashable, CaseIterable {
    /// ``AuditEntry``
    case changes
    /// ``AccessEntry``
    case accesses
    /// ``IdentityFailure``
    case identityFailures
    /// ``AnsweredRequest``
    case answers

    /// How many rows of each app stay. There are more of them until the next look at them (``LogLedger``).
    package var limit: Int {
        switch self {
        case .changes: AuditEntry.limit
        case .accesses: AccessEntry.limit
        case .identityFailures: IdentityFailure.limit
        case .answers: KeptAnswer.limit
        }
    }
}

/// What apps have beyond the limits of their logs.
///
/// It is looked for now and then, not with each row. Otherwise every transaction that adds a row would read the newest
/// numbers of its app, and such transactions of several nodes would be in conflict.
package protocol LogLedger: AnyObject {
    /// The number of the newest row of an app that comes after its newest `limit` rows. Nil if it has no more.
    ///
    /// - Parameter app: Nil for the operator's own rows.
    func newestNumber(beyond limit: Int, in log: AppLog, of app: AppID?) throws -> Int?
    /// Removes up to `limit` rows of an app, oldest first.
    ///
    /// - Parameter number: The highest number that is removed.
    /// - Returns: How many it removed.
    func removeRows(upTo number: Int, from log: AppLog, of app: AppID?, limit: Int) throws -> Int
}

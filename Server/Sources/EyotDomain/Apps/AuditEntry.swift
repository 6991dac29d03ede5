/// A record of a change that a key of the control plane made. It contains no secret and no body.
package struct AuditEntry: Sendable, Hashable {
    /// The most entries of each app, and of the operator's own calls; the newest are kept.
    package static let limit = 100_000
    /// The most bytes of ``subject``; the rest is cut off.
    package static let subjectBytes = 512

    /// The app; nil if an operator's call named none.
    package var app: AppID?
    /// Rises in its app, with gaps where several processes write; 0 until it is stored.
    package var number = 0
    package var at: Instant
    package var key: Int64
    package var hint: String
    package var method: String
    /// The path as the route declares it.
    package var route: String
    /// The things in the path that the call named.
    package var subject: String
    /// The status of the answer.
    package var status: Int
    /// The caller's address; nil if it is unknown.
    package var address: String?
    /// The app's bundle id, for records that are read elsewhere. It is not stored.
    package var bundleID: String?

    package init(
        app: AppID?, at: Instant, key: Int64, hint: String, method: String, route: String, subject: String,
        status: Int, address: String?
    ) {
        self.app = app
        self.at = at
        self.key = key
        self.hint = hint
        self.method = method
        self.route = route
        self.subject = subject
        self.status = status
        self.address = address
    }
}

/// The records of changes through the control plane.
package protocol AuditLedger: AnyObject {
    /// Numbers an entry and stores it.
    func note(_ entry: AuditEntry) throws
    /// Entries of an app, or of the operator's own calls, with numbers below `number`, newest first; nil begins at the
    /// newest.
    func auditEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AuditEntry]
    /// Removes entries of all apps from before a moment, oldest first.
    ///
    /// - Returns: how many it removed.
    func removeAuditEntries(before moment: Instant, limit: Int) throws -> Int
}

/// A change that a key of the control plane made, for the record. No secret and no body stands in it.
package struct AuditEntry: Sendable, Hashable {
    /// Kept of each app, and of the operator's own; the newest.
    package static let limit = 100_000
    /// Bytes of what a call named; the rest is cut off.
    package static let subjectBytes = 512

    /// Nil where an operator's call named no app.
    package var app: AppID?
    /// Counts up in its app from 1; 0 until it is stored.
    package var number = 0
    package var at: Instant
    package var key: Int64
    package var hint: String
    package var method: String
    /// The path as the route declares it.
    package var route: String
    /// What the call named in it.
    package var subject: String
    /// What it was answered.
    package var status: Int
    /// Whence it came; nil where that is not known.
    package var address: String?
    /// The app's, for whoever reads the record elsewhere. It is not stored.
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

/// What was changed through the control plane.
package protocol AuditLedger: AnyObject {
    /// Numbers an entry in its app and keeps it; of each app at most `limit`, the newest.
    func note(_ entry: AuditEntry, limit: Int) throws
    /// Those of an app, or of the operator's own, with numbers below one, newest first; nil begins at the newest.
    func auditEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AuditEntry]
    /// Removes entries of all apps from before a moment, oldest first.
    ///
    /// - Returns: how many it removed.
    func removeAuditEntries(before moment: Instant, limit: Int) throws -> Int
}

import EyotDomain

/// A declaration, and the call that made it.
package struct DeclarationView: Sendable {
    package var declaration: Declaration
    /// Nil if it is no longer kept.
    package var operation: Operation?
    /// The key of the call; nil if none made it, or if the key is gone.
    package var key: APIKey?
}

extension Commands {
    /// Declarations of the newest generation of a name, newest first.
    ///
    /// - Parameter version: the declarations before this one; nil for all.
    /// - Throws: `activityUnknown`.
    package func declarations(
        of name: String, in app: AppID, before version: Version?, limit: Int
    ) async throws -> (activity: Activity, views: [DeclarationView]) {
        try await store.read { ledger in
            guard let activity = try ledger.newestActivity(named: name, in: app) else {
                throw try ledger.unknownActivity(name, in: app)
            }
            let newest = min(version.map { $0 - 1 } ?? .max, activity.version)
            // Versions are dense.
            let versions = stride(from: newest, to: max(0, newest - limit), by: -1)
            let views = try versions.compactMap { try ledger.declarationView($0, of: activity.id) }
            return (activity, views)
        }
    }

    private static let rounds = 10

    /// What has reports: generations that are there and those that are gone, newest first.
    package func reportSubjects(
        of app: AppID, before id: ActivityID?, limit: Int
    ) async throws -> [KeptReport] {
        try await store.read { ledger in
            var (all, last): ([KeptReport], ActivityID?) = ([], id)
            // Nameless starts have no report of their own. Few rounds are enough for lists that have many of them.
            for _ in 0..<Self.rounds where all.count < limit {
                let there = try ledger.newestActivities(of: app, before: last, limit: limit).map { KeptReport(of: $0) }
                let gone = try ledger.newestReports(of: app, before: last, limit: limit)
                let page = (there + gone).sorted { $0.activity.rawValue > $1.activity.rawValue }.prefix(limit)
                all += page.filter { !NamelessActivity.isNamelessName($0.name) }
                last = page.last?.activity
                if page.count < limit { break }
            }
            return Array(all.prefix(limit))
        }
    }
}

extension Ledger {
    fileprivate func declarationView(_ version: Version, of activity: ActivityID) throws -> DeclarationView? {
        guard let declaration = try declaration(version, of: activity) else { return nil }
        let operation = try operation(declaring: version, of: activity, at: declaration.acceptedAt)
        let key = try operation?.key.flatMap { try apiKey($0) }
        return DeclarationView(declaration: declaration, operation: operation, key: key)
    }
}

import EyotDomain

/// The end of foreign cards when the first declaration of a private activity has an audience (R12).
///
/// A phone outside that audience named the activity before its backend did. It could learn nothing then, and it learns
/// nothing afterwards.
struct EndForeignPlaces: UseCase {
    let transaction: Transaction
    let app: AppID

    /// Places that are read together.
    private static let pageSize = 500

    /// - Parameter activity: The activity before the declaration.
    func callAsFunction(_ activity: Activity, _ request: DeclarationRequest) throws {
        guard activity.version == 0, activity.nextOrdinal > 1, let audience = request.audience,
            try isPrivate(activity, after: request)
        else { return }
        let resolved = try ResolveAudience(transaction, app: app)(audience)
        var last = 0
        while true {
            let page = try ledger.replicas(of: activity.id, after: last, limit: Self.pageSize)
            guard let end = page.last else { return }
            let ids = Array(Set(page.map(\.device)))
            let meant = Set(
                try ledger.deviceIDs(in: .and([resolved, .devices(ids)]), of: app, limit: ids.count))
            for former in page where !meant.contains(former.device) {
                var replica = former
                if replica.cancelForOtherPerson() { try transaction.update(replica, from: former, in: app) }
            }
            last = end.ordinal
        }
    }

    private func isPrivate(_ former: Activity, after request: DeclarationRequest) throws -> Bool {
        guard let app = try ledger.app(app) else { return false }
        var activity = former
        activity.admit(request)
        return !(activity.isPublic ?? app.opensActivities)
    }
}

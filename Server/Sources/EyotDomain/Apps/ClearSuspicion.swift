/// A step that clears the tokens of an app of suspicion, because the app was at fault or an operator resumes it (R8).
/// Starts that were refused on suspicion are planned again.
package struct ClearSuspicion: UseCase {
    /// The most rows that one transaction changes, because all other writes wait for it (R11).
    package static let batch = 100

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Clears some tokens and replicas. Start tokens come first, because starts need them.
    ///
    /// - Returns: whether there may be more, which another transaction has to clear.
    package func callAsFunction(in app: AppID) throws -> Bool {
        let tokens = try ledger.suspectStartTokens(in: app, limit: Self.batch)
        guard tokens.count < Self.batch else {
            try clear(tokens, [], in: app)
            return true
        }
        let replicas = try ledger.suspectReplicas(in: app, limit: Self.batch - tokens.count)
        try clear(tokens, replicas, in: app)
        return tokens.count + replicas.count == Self.batch
    }

    /// Gives some tokens and replicas another chance.
    func clear(_ tokens: [StartToken], _ replicas: [Replica], in app: AppID) throws {
        for former in tokens {
            var token = former
            token.death = nil
            try transaction.put(token, from: former, in: app)
        }
        for replica in replicas { try clear(replica, in: app) }
        for id in Set(replicas.map(\.activity)).sorted(by: { $0.rawValue < $1.rawValue }) {
            guard var activity = try ledger.activity(id) else { continue }
            activity.wake(at: now)
            try ledger.update(activity)
            ledger.woken.insert(id)
        }
    }

    private func clear(_ suspect: Replica, in app: AppID) throws {
        // Another replica may just have left this one its scoped state, so it is read again.
        guard let former = try ledger.replica(suspect.ordinal, of: suspect.activity) else { return }
        var replica = former
        replica.clearSuspicion()
        if former.phase == .notStarted(.suspected) { try plan(&replica, in: app) }
        if former.phase != .live, replica.phase == .live, let activity = try ledger.activity(former.activity) {
            let others = try ledger.replicas(of: former.device, named: activity.name, in: app)
            try ledger.leaveName(&replica, of: activity, to: others)
        }
        try transaction.update(replica, from: former, in: app)
    }

    private func plan(_ replica: inout Replica, in app: AppID) throws {
        replica.startAgain(isAllowed: try mayStart(replica, in: app))
        // The declaration of a start that is not planned any more may have been removed. The start then takes the
        // newest state's declaration.
        guard let version = replica.lease?.version, let activity = try ledger.activity(replica.activity),
            try ledger.declaration(version, of: activity.id) == nil
        else { return }
        replica.lease?.version = activity.declaredState
    }

    /// Whether the card of a refused start may be started now, given all that has happened since (R5, R13).
    private func mayStart(_ replica: Replica, in app: AppID) throws -> Bool {
        guard let activity = try ledger.activity(replica.activity), !replica.isEnding(in: activity),
            let type = activity.type, let device = try ledger.device(replica.device)
        else { return false }
        let others = try ledger.replicas(of: device.id, named: activity.name, in: app)
            .filter { $0.activity == activity.id && $0.ordinal != replica.ordinal }
        let failure = Replica.startFailure(
            for: StartCandidate(device, try ledger.startToken(of: device.id, type: type)), existing: others,
            wish: StartWish(startsAt: now), at: now)
        return failure == nil
    }
}

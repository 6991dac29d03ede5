import EyotDomain

/// The kill switch for an activity, a type or an app: stops all pushes, or ends the stop. Pushes in flight still
/// arrive. One transaction.
package struct SetHalt: UseCase {
    /// The most generations of one name. Older ones have had nothing to send for long.
    static let generationLimit = 100

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Halts an app. ``ResumeApp`` ends the halt.
    package func halt(app id: AppID) throws -> App {
        let former = try known(id)
        var app = former
        app.haltedAt = app.haltedAt ?? now
        try transaction.update(app, from: former)
        return app
    }

    /// - Throws: `fieldInvalid` if too many types are halted already.
    package func set(_ isHalted: Bool, type: String, of id: AppID) throws -> App {
        try FieldRule.identifier.check(type, field: "type")
        let former = try known(id)
        var app = former
        app.haltedTypes[type] = isHalted ? app.haltedTypes[type] ?? now : nil
        guard app.haltedTypes.count <= Halt.typeLimit else {
            throw EyotError(
                .fieldInvalid, "\(Halt.typeLimit) types are already halted: halt the app instead", field: "type")
        }
        try transaction.update(app, from: former)
        if !isHalted { try ledger.wakeDue(at: now) }
        return app
    }

    /// - Returns: The newest generation, and its halt now. Another switch may still halt it.
    /// - Throws: `activityUnknown`.
    package func set(_ isHalted: Bool, activity name: String, of id: AppID) throws -> (Activity, Halt?) {
        let app = try known(id)
        var generations = try ledger.activities(named: name, in: id, limit: Self.generationLimit)
        guard !generations.isEmpty else { throw try ledger.unknownActivity(name, in: id) }
        for index in generations.indices {
            try isHalted ? halt(&generations[index]) : resume(&generations[index])
        }
        return (generations[0], app.halt(of: generations[0]))
    }

    private func halt(_ activity: inout Activity) throws {
        let former = activity
        activity.halt(at: now)
        guard activity != former else { return }
        try transaction.update(activity, from: former)
    }

    /// Ends the halt of an activity. A failed canary then goes on to all cards. To avoid that, a backend declares
    /// another state.
    private func resume(_ activity: inout Activity) throws {
        let former = activity
        guard former.haltedAt != nil else { return }
        activity.haltedAt = nil
        if activity.canary?.hasFailed == true { try AdvanceCanary(transaction).proceed(&activity) }
        try transaction.update(activity, from: former)
        ledger.woken.insert(activity.id)
    }

    private func known(_ id: AppID) throws -> App {
        guard let app = try ledger.app(id) else { throw EyotError(.appUnknown, "the app was removed") }
        return app
    }
}

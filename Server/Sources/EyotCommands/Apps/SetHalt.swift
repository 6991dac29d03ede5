import EyotDomain

/// The kill switch: lets nothing be sent any more for an activity, a type or an app, or lets it go again. What is on its way
/// to Apple arrives. One transaction.
package struct SetHalt {
    /// Generations of one name. Older ones than these have long nothing to send.
    static let generationLimit = 100

    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// Halts an app. ``ResumeApp`` lets it go again.
    package func halt(app id: AppID) throws -> App {
        var app = try known(id)
        app.haltedAt = app.haltedAt ?? now
        try ledger.update(app)
        return app
    }

    /// - Throws: `fieldInvalid` where too many are halted already.
    package func set(_ isHalted: Bool, type: String, of id: AppID) throws -> App {
        try FieldRule.identifier.check(type, field: "type")
        var app = try known(id)
        app.haltedTypes[type] = isHalted ? app.haltedTypes[type] ?? now : nil
        guard app.haltedTypes.count <= Halt.typeLimit else {
            throw EyotError(.fieldInvalid, "\(Halt.typeLimit) types are halted already: halt the app", field: "type")
        }
        try ledger.update(app)
        if !isHalted { try ledger.wakeDue(at: now) }
        return app
    }

    /// - Returns: the newest generation, and what halts it now: it may be halted by another switch still.
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
        if activity != former { try ledger.update(activity) }
    }

    /// A canary that has failed goes on with everyone: whoever wants something else declares that.
    private func resume(_ activity: inout Activity) throws {
        guard activity.haltedAt != nil else { return }
        activity.haltedAt = nil
        if activity.canary?.hasFailed == true { try AdvanceCanary(ledger: ledger, now: now).goOn(&activity) }
        try ledger.update(activity)
        ledger.woken.insert(activity.id)
    }

    private func known(_ id: AppID) throws -> App {
        guard let app = try ledger.app(id) else { throw EyotError(.appUnknown, "the app is gone") }
        return app
    }
}

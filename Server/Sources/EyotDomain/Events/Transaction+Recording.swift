/// The writes that are recorded as events. Only they may change what events tell of (R15).
extension Transaction {
    /// Stores the change of a replica, and what happened to its card.
    package func update(_ replica: Replica, from former: Replica, in app: AppID) throws {
        try ledger.update(replica, from: former)
        try record(replica.facts(since: former), of: replica, in: app)
        try count(replica, from: former, in: app)
    }

    package func record(_ facts: [Fact], of replica: Replica, in app: AppID) throws {
        for fact in facts {
            try record(
                Event(
                    app: app, at: now, fact, activity: replica.activity, ordinal: replica.ordinal,
                    device: replica.device))
        }
        try count(facts, of: replica, in: app)
    }

    package func record(_ fact: Fact, of activity: Activity) throws {
        try record(Event(app: activity.app, at: now, fact, activity: activity.id))
        ledger.count(
            KeptCounter(fact.kind), fact.reason ?? "", in: counts(of: activity.id, in: activity.app)
        )
    }

    package func record(_ fact: Fact, of device: DeviceID, in app: AppID) throws {
        try record(Event(app: app, at: now, fact, device: device))
    }

    /// Records an event, and counts it for its app.
    private func record(_ event: Event) throws {
        try ledger.record(event)
        ledger.countForApp(event)
    }
}

// MARK: - Devices and start tokens

extension Transaction {
    package func update(_ changed: Device, from former: Device) throws {
        var device = changed
        if former.user != nil, device.user != former.user {
            device.personNumber = try ledger.raisePersonNumber(of: device.app)
        }
        try ledger.update(device)
        try countAdoption(of: device, from: former)
        for fact in device.facts(since: former) { try record(fact, of: device.id, in: device.app) }
    }

    /// Stores a start token, which replaces the former one of its type.
    package func put(_ token: StartToken, from former: StartToken?, in app: AppID) throws {
        if former?.token == token.token, (former?.death == nil) == (token.death == nil) {
            try ledger.put(token, in: app)
        } else {
            // Other devices lose the token.
            let holders = try ledger.devices(withStartToken: token.token, in: app).filter { $0 != token.device }
            try countingAdoption(of: [token.device] + holders) { try ledger.put(token, in: app) }
        }
        if let fact = token.fact(since: former) { try record(fact, of: token.device, in: app) }
    }

    /// Removes a start token, if the device has one of the type.
    package func removeStartToken(of device: DeviceID, type: String, in app: AppID) throws {
        guard let former = try ledger.startToken(of: device, type: type) else { return }
        try countingAdoption(of: [device]) { try ledger.removeStartToken(of: device, type: type) }
        try record(Fact(.startTokenRemoved, reason: type, token: former.token), of: device, in: app)
    }
}

// MARK: - Apps and activities

extension Transaction {
    /// Stores the change of an app, and what happened to its halts and pauses.
    package func update(_ app: App, from former: App) throws {
        try ledger.update(unrecorded: app)
        for fact in app.facts(since: former) { try record(Event(app: app.id, at: now, fact)) }
    }

    /// Stores the change of an activity, and what happened to its halt.
    package func update(_ activity: Activity, from former: Activity) throws {
        try ledger.update(activity)
        for fact in activity.facts(since: former) { try record(fact, of: activity) }
    }

    /// Stores what an activity shows from now on.
    package func insert(_ declaration: Declaration, by verb: DeclarationRequest.Verb, in app: AppID) throws {
        try ledger.insert(declaration)
        let fact = Fact(.activityDeclared, version: declaration.version, reason: verb.rawValue)
        try record(Event(app: app, at: now, fact, activity: declaration.activity))
        ledger.count(
            KeptCounter(fact.kind), verb.rawValue, in: counts(of: declaration.activity, in: app))
    }

    /// Ends an activity if its planned end has come.
    ///
    /// - Returns: Whether it has.
    package func end(inTime activity: inout Activity) throws -> Bool {
        let former = activity
        guard let end = activity.endInTime(at: now) else { return false }
        try ledger.insert(end)
        try update(activity, from: former)
        try ledger.wakeChannels(of: activity.id, at: now)
        try record(Fact(.activityEnded, version: end.version), of: activity)
        return true
    }
}

// MARK: - Stale states

extension Transaction {
    /// Records that an activity's newest state has gone stale, if its moment has come.
    package func noteStale(_ activity: inout Activity) throws {
        let former = activity
        guard let version = activity.goStaleInTime(at: now) else { return }
        try update(activity, from: former)
        try record(Fact(.activityStale, version: version), of: activity)
    }
}

// MARK: - Calls

extension Transaction {
    /// Records that a call was refused. It has changed nothing, so its event stands alone in the transaction.
    ///
    /// - Parameter activity: The activity that the call named; nil for none.
    package func record(
        _ call: RefusedCall, because code: EyotError.Code, of activity: ActivityID?, in app: AppID
    ) throws {
        let fact = Fact(.callRefused, reason: code.rawValue)
        var event = Event(app: app, at: now, fact, activity: activity)
        event.call = call
        try record(event)
        if let activity { ledger.count(KeptCounter(fact.kind), code.rawValue, in: counts(of: activity, in: app)) }
    }
}

// MARK: - Operations

extension Transaction {
    /// Stores the change of an accepted request. Its conclusion is recorded once.
    package func update(_ operation: Operation, from former: Operation) throws {
        try ledger.update(operation)
        guard let fact = operation.fact(since: former), let activity = operation.activity else { return }
        var event = Event(app: operation.app, at: now, fact, activity: activity)
        event.operation = operation.id
        try record(event)
        ledger.count(KeptCounter(fact.kind), fact.reason ?? "", in: counts(of: activity, in: operation.app))
    }
}

extension Operation {
    /// What has happened to the request. One that was not applied is concluded by the answer to its caller, and no
    /// event tells of it.
    fileprivate func fact(since former: Operation) -> Fact? {
        guard former.completion == nil, let completion, outcome.isTaken else { return nil }
        let kind = completion.supersededBy == nil ? EventKind.operationDone : .operationSuperseded
        return Fact(kind, version: version, reason: verb.rawValue)
    }
}

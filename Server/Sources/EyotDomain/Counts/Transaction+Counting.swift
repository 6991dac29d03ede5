/// The counting of what happens to cards. It follows from the same facts as the record of events (R15).
extension Transaction {
    package func counts(of activity: ActivityID, in app: AppID) -> ActivityCounts {
        ActivityCounts(app: app, activity: activity, at: now)
    }

    /// Stores a new replica.
    package func insert(_ replica: Replica, in app: AppID) throws {
        try ledger.insert(replica)
        ledger.countStates(from: nil, to: replica, in: app)
    }

    /// Stores places for devices, like ``PlanningLedger/insert(places:like:)``.
    package func insert(places devices: [DeviceID], like first: Replica, in app: AppID) throws {
        try ledger.insert(places: devices, like: first)
        ledger.countStates(from: nil, to: first, times: devices.count, in: app)
    }

    /// Counts a fact of a card.
    func count(_ fact: Fact, of replica: Replica, in app: AppID) throws {
        let counts = counts(of: replica.activity, in: app)
        ledger.count(KeptCounter(fact.kind), fact.reason ?? "", in: counts)
        switch fact.kind {
        case .cardAppeared:
            if replica.startsAt != nil { ledger.count(.appearedByPush, in: counts) }
            try countDimensions(of: replica, counts) { KeptCounter(.cardAppeared, by: $0) }
        case .cardDismissed:
            ledger.count(.dismissedAfter, String(fact.version), in: counts)
            try countDimensions(of: replica, counts) { KeptCounter(.cardDismissed, by: $0) }
        case .pushRefused: try countDimensions(of: replica, counts) { KeptCounter(.pushRefused, by: $0) }
        default: break
        }
    }

    /// Counts what no fact says of a change.
    func count(_ replica: Replica, from former: Replica, in app: AppID) {
        ledger.countStates(from: former, to: replica, in: app)
        let counts = counts(of: replica.activity, in: app)
        if replica.hasTokenAgain(since: former) { ledger.count(.tokenAgain, in: counts) }
        guard former.phase != replica.phase, former.phase.isRunning, !replica.phase.isRunning else { return }
        if replica.phase == .ended, former.expiresAt.map({ $0 <= now }) ?? false {
            ledger.count(.lifetimeOver, in: counts)
        }
        if former.word == "waitingForAllow" { ledger.count(.neverAllowed, in: counts) }
    }

    private func countDimensions(
        of replica: Replica, _ counts: ActivityCounts, _ counter: (CountDimension) -> KeptCounter
    ) throws {
        guard let device = try ledger.device(replica.device) else { return }
        for dimension in CountDimension.allCases {
            ledger.count(counter(dimension), dimension.value(of: device), in: counts)
        }
    }
}

// MARK: - Echoes

extension Transaction {
    /// Stores what a phone reports of a card, and counts it.
    ///
    /// - Parameters:
    ///   - declared: When the declaration that the card shows was made; nil if it is unknown.
    package func put(_ echo: Echo, of replica: Replica, declared: Instant?, in app: AppID) throws {
        let former = try ledger.echo(of: echo.activity, ordinal: echo.ordinal)
        try ledger.put(echo)
        let counts = counts(of: echo.activity, in: app)
        if former?.version != echo.version {
            if let former { ledger.count(.showing, String(former.version), times: -1, in: counts) }
            ledger.count(.showing, String(echo.version), in: counts)
        }
        if former == nil {
            ledger.count(.echoes, in: counts)
            try countDimensions(of: replica, counts) { KeptCounter.echoes(by: $0) }
        }
        guard let declared, echo.version > former?.version ?? 0 else { return }
        let since = max(declared, replica.appearedAt ?? replica.createdAt)
        var ages = AgeHistogram()
        ages.record(seconds: max(0, now.seconds(since: since)))
        ledger.count(ages, as: .shownAge, longest: .longestShown, in: counts)
    }

    /// Removes the echo of a card. That a phone once reported stays counted.
    package func removeEcho(of replica: Replica, in app: AppID) throws {
        guard let echo = try ledger.echo(of: replica.activity, ordinal: replica.ordinal) else { return }
        try ledger.removeEcho(of: replica.activity, ordinal: replica.ordinal)
        ledger.count(.showing, String(echo.version), times: -1, in: counts(of: replica.activity, in: app))
    }
}

// MARK: - Verdicts

extension Ledger {
    /// Counts what the verdicts of a page have added to an activity's tally.
    package func count(_ tally: Tally, since former: Tally, in counts: ActivityCounts) {
        let numbers: [(KeptCounter, Int, Int)] = [
            (.started, tally.started, former.started), (.accepted, tally.accepted, former.accepted),
            (.ended, tally.ended, former.ended), (.superseded, tally.superseded, former.superseded),
            (.refused, tally.refused, former.refused), (.unknown, tally.unknown, former.unknown),
            (.alertsGiven, tally.alertsGiven, former.alertsGiven),
            (.alertsWithoutRoom, tally.alertsWithoutRoom, former.alertsWithoutRoom),
            (.alertsSuperseded, tally.alertsSuperseded, former.alertsSuperseded),
            (.alertsExpired, tally.alertsExpired, former.alertsExpired),
        ]
        for (counter, new, old) in numbers where new != old { count(counter, times: new - old, in: counts) }
        count(tally.ages.added(since: former.ages), as: .acceptedAge, longest: .longestAccepted, in: counts)
    }

    /// Adds the records of a histogram.
    func count(_ ages: AgeHistogram, as steps: KeptCounter, longest: KeptCounter, in counts: ActivityCounts) {
        for (step, value) in ages.counts.enumerated() where value > 0 {
            count(steps, String(step), times: value, in: counts)
        }
        let milliseconds = Int((ages.longest * 1_000).rounded(.up))
        if milliseconds > 0 { count(longest, times: milliseconds, in: counts) }
    }
}

extension AgeHistogram {
    /// The records that were added since. The longest age is that of the highest step, unless a longer one was added.
    func added(since former: AgeHistogram) -> AgeHistogram {
        var added = counts
        for (step, value) in former.counts.enumerated() where step < added.count { added[step] -= value }
        guard let last = added.lastIndex(where: { $0 > 0 }) else { return AgeHistogram() }
        let isLonger = longest > former.longest
        return AgeHistogram(counts: added, longest: isLonger ? longest : min(longest, Self.upperBound(of: last)))
    }
}

extension Replica {
    /// Whether a token was set that is no other than the former one, or that follows one which was dropped.
    fileprivate func hasTokenAgain(since former: Replica) -> Bool {
        guard let token, token.version != former.token?.version else { return false }
        return former.token.map { $0.token == token.token } ?? former.hadToken
    }

    /// Whether a replica without a token may have had one.
    private var hadToken: Bool {
        switch phase {
        case .untracked, .ended, .unlisted, .dead: true
        case .starting, .waitingForToken, .live, .dismissed, .notStarted: false
        }
    }
}

extension Replica.Phase {
    /// Whether a card runs in this phase.
    fileprivate var isRunning: Bool {
        switch self {
        case .waitingForToken, .live, .untracked: true
        case .starting, .ended, .dismissed, .dead, .unlisted, .notStarted: false
        }
    }
}

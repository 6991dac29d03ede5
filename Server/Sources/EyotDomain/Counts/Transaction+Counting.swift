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

    /// Counts facts of a card.
    func count(_ facts: [Fact], of replica: Replica, in app: AppID) throws {
        let counts = counts(of: replica.activity, in: app)
        for fact in facts {
            ledger.count(KeptCounter(fact.kind), fact.reason ?? "", in: counts)
            if fact.kind == .cardAppeared, replica.startsAt != nil { ledger.count(.appearedByPush, in: counts) }
            if fact.kind == .cardDismissed { ledger.count(.dismissedAfter, String(fact.version), in: counts) }
        }
        let divided = facts.map(\.kind).filter(\.isCountedByDimension)
        try countDimensions(divided.map { KeptCounter($0) }, of: replica, in: counts)
    }

    /// Counts devices of a start that get a place.
    package func countEligible(_ phone: CountedPhone, times: Int = 1, of activity: Activity) {
        let counts = counts(of: activity.id, in: activity.app)
        ledger.count(.eligible, times: times, in: counts)
        ledger.count(.eligible, by: phone, times: times, in: counts)
    }

    /// Counts devices of a start that get no place. Their reasons are counted by themselves.
    package func countSkipped(_ phone: CountedPhone, times: Int = 1, of activity: Activity) {
        ledger.count(.skipped, by: phone, times: times, in: counts(of: activity.id, in: activity.app))
    }

    /// Counts a start that Apple has accepted.
    package func countAcceptedStart(of replica: Replica, in app: AppID) throws {
        try countDimensions([.started], of: replica, in: counts(of: replica.activity, in: app))
    }

    /// Counts a tap on a card that opened the app.
    package func countTap(on replica: Replica, in app: AppID) throws {
        let counts = counts(of: replica.activity, in: app)
        ledger.count(.taps, in: counts)
        try countDimensions([.taps], of: replica, in: counts)
    }

    /// Counts how long a declaration waited before Apple accepted its broadcast.
    package func countBroadcast(declared: Instant, of activity: Activity) {
        var ages = AgeHistogram()
        ages.record(seconds: max(0, now.seconds(since: declared)))
        ledger.count(
            ages, as: .broadcastAge, longest: .longestBroadcast, in: counts(of: activity.id, in: activity.app))
    }

    /// Counts what no fact says of a change.
    func count(_ replica: Replica, from former: Replica, in app: AppID) throws {
        ledger.countStates(from: former, to: replica, in: app)
        let counts = counts(of: replica.activity, in: app)
        var found: [KeptCounter] = []
        if replica.hasTokenAgain(since: former) {
            ledger.count(.tokenAgain, in: counts)
        } else if replica.hasFirstToken(since: former) {
            found.append(.tokens)
        }
        if former.phase != replica.phase, former.phase.isRunning, !replica.phase.isRunning {
            if replica.phase == .ended, former.expiresAt.map({ $0 <= now }) ?? false { found.append(.lifetimeOver) }
            if former.word == "waitingForAllow" { found.append(.neverAllowed) }
        }
        if replica.phase == .ended, former.phase != .ended { found.append(.over) }
        for counter in found { ledger.count(counter, in: counts) }
        try countDimensions(found, of: replica, in: counts)
        try countShown(replica, from: former, in: counts)
    }

    /// Adds to numbers by each property of the replica's phone.
    private func countDimensions(
        _ counters: [KeptCounter], of replica: Replica, in counts: ActivityCounts
    ) throws {
        guard !counters.isEmpty, let device = try ledger.device(replica.device) else { return }
        for counter in counters { ledger.count(counter, by: CountedPhone(device), in: counts) }
    }
}

extension Ledger {
    /// Adds to a number by each property of phones.
    package func count(
        _ counter: KeptCounter, by phone: CountedPhone, times: Int = 1, in counts: ActivityCounts
    ) {
        for dimension in CountDimension.allCases {
            count(counter.by(dimension), dimension.value(of: phone), times: times, in: counts)
        }
    }
}

extension EventKind {
    /// Whether events of the kind are also counted by the properties of phones.
    fileprivate var isCountedByDimension: Bool {
        switch self {
        case .cardAppeared, .cardDismissed, .pushRefused, .startExpired: true
        default: false
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
        var echo = echo
        echo.hasShownDeclared = echo.version > 0 || former?.hasShownDeclared == true
        try ledger.put(echo)
        let counts = counts(of: echo.activity, in: app)
        let terms = replica.shownTerms
        countShown(terms.detail(of: echo.version), from: former.flatMap { terms.detail(of: $0.version) }, in: counts)
        var found: [KeptCounter] = former == nil ? [.echoes] : []
        if echo.hasShownDeclared, former?.hasShownDeclared != true { found.append(.shown) }
        for counter in found { ledger.count(counter, in: counts) }
        try countDimensions(found, of: replica, in: counts)
        guard let declared, echo.version > former?.version ?? 0 else { return }
        let since = max(declared, replica.appearedAt ?? replica.createdAt)
        var ages = AgeHistogram()
        ages.record(seconds: max(0, echo.at.seconds(since: since)))
        ledger.count(ages, as: .shownAge, longest: .longestShown, in: counts)
    }

    /// Removes the echo of a card. That a phone once reported stays counted.
    package func removeEcho(of replica: Replica, in app: AppID) throws {
        guard let echo = try ledger.echo(of: replica.activity, ordinal: replica.ordinal) else { return }
        try ledger.removeEcho(of: replica.activity, ordinal: replica.ordinal)
        countShown(
            nil, from: replica.shownTerms.detail(of: echo.version), in: counts(of: replica.activity, in: app))
    }

    /// Counts a card elsewhere if its change decides that. For most changes no echo is read.
    func countShown(_ replica: Replica, from former: Replica, in counts: ActivityCounts) throws {
        let (old, new) = (former.shownTerms, replica.shownTerms)
        // A card that has just appeared has no echo.
        guard old != new, former.instance != nil,
            let echo = try ledger.echo(of: replica.activity, ordinal: replica.ordinal)
        else { return }
        countShown(new.detail(of: echo.version), from: old.detail(of: echo.version), in: counts)
    }

    private func countShown(_ detail: ShownDetail?, from former: ShownDetail?, in counts: ActivityCounts) {
        guard detail != former else { return }
        if let former { ledger.count(.showing, former.text, times: -1, in: counts) }
        if let detail { ledger.count(.showing, detail.text, in: counts) }
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

    /// Whether a token was set where there was none.
    fileprivate func hasFirstToken(since former: Replica) -> Bool {
        token != nil && former.token == nil && token?.version != former.token?.version
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

/// What one transaction adds to kept numbers.
///
/// **Problem.** A page of a thousand pushes, or a flood of registrations, would write the same few numbers thousands of
/// times.
///
/// **Approach.** A transition adds to this value and writes nothing. The store writes each number once, at the end of
/// the transaction (``Ledger/storeCounts(_:)``). A store that commits many requests together writes it once for all of
/// them. So a number and the change that it counts are committed together, and a change that is undone counts nothing.
package struct CountChanges: Sendable, Hashable {
    /// Numbers that are stored one by one.
    package private(set) var values: [CountKey: Int] = [:]
    /// Numbers of activities that are stored by their span.
    package private(set) var spans: [CountPlace: SpanNumbers] = [:]
    /// What the type of each activity adds to its numbers, by hour. The store looks the type up once, at the end.
    package private(set) var ofTypes: [CountPlace: SpanNumbers] = [:]
    /// Types of activities that are known without asking the store.
    package private(set) var types: [ActivityID: DeclaredType] = [:]

    package init() {}

    package var isEmpty: Bool { values.isEmpty && spans.isEmpty && ofTypes.isEmpty }

    package mutating func add(_ value: Int, to key: CountKey) {
        guard value != 0 else { return }
        guard !key.place.isTogether else {
            spans[key.place, default: SpanNumbers()].add(value, to: key.counter, key.detail)
            return
        }
        values[key] = key.counter.adding(value, to: values[key] ?? 0)
    }

    /// Adds to a number of the type of the key's activity.
    package mutating func addOfType(_ value: Int, to key: CountKey) {
        guard value != 0 else { return }
        ofTypes[key.place, default: SpanNumbers()].add(value, to: key.counter, key.detail)
    }

    /// Notes the type that the store has of an activity.
    package mutating func note(_ type: DeclaredType, of activity: ActivityID) { types[activity] = type }

    package mutating func merge(_ other: CountChanges) {
        if !other.types.isEmpty { types.merge(other.types) { $1 } }
        for (key, value) in other.values { add(value, to: key) }
        for (place, numbers) in other.spans { spans[place, default: SpanNumbers()].merge(numbers) }
        for (place, numbers) in other.ofTypes { ofTypes[place, default: SpanNumbers()].merge(numbers) }
    }
}

/// The counts of one activity at one moment, to add to.
package struct ActivityCounts {
    package let app: AppID
    package let activity: ActivityID
    package let now: Instant

    package init(app: AppID, activity: ActivityID, at now: Instant) {
        self.app = app
        self.activity = activity
        self.now = now
    }

    package func key(_ counter: KeptCounter, _ detail: String = "") -> CountKey {
        CountKey(
            app: app, activity: activity, counter, detail, in: counter.isOfWholeLife ? .life : CountSpan(of: now))
    }
}

extension Ledger {
    /// Adds to a number of an activity, and to that of its type.
    package func count(_ counter: KeptCounter, _ detail: String = "", times: Int = 1, in counts: ActivityCounts) {
        var key = counts.key(counter, detail)
        counted.add(times, to: key)
        guard counter.isOfTypes else { return }
        key.span = CountSpan(of: counts.now, width: CountSpan.hour)
        counted.addOfType(times, to: key)
    }

    /// Counts a change of a replica's state.
    ///
    /// - Parameters:
    ///   - former: nil for a new replica.
    ///   - times: The number of replicas with the same change.
    package func countStates(from former: Replica?, to replica: Replica, times: Int = 1, in app: AppID) {
        if let former, former.phase == replica.phase, former.following == replica.following { return }
        let (activity, old) = (replica.activity, former.map(CountedState.init))
        let new = CountedState(replica)
        guard old != new else { return }
        for (state, change) in [(old, -times), (new, times)] {
            guard let state else { continue }
            counted.add(change, to: CountKey(app: app, activity: activity, .phase, state.word))
            guard let (counter, detail) = state.reason else { continue }
            counted.add(change, to: CountKey(app: app, activity: activity, counter, detail))
        }
    }
}

/// The part of a replica's state that is counted.
private struct CountedState: Equatable {
    var word: String
    var phase: Replica.Phase

    init(_ replica: Replica) { (word, phase) = (replica.word, replica.phase) }

    var reason: (KeptCounter, String)? {
        switch phase {
        case .notStarted(let failure): (.failure, failure.rawValue)
        case .dead(let death): (.death, death.reason.name)
        case .starting, .waitingForToken, .live, .ended, .dismissed, .unlisted, .untracked: nil
        }
    }
}

import APNSWire
import EyotDomain

/// What a page gives back before all of it has its verdict (R10).
extension EngineCore {
    /// Settles what is known of a page. What waits on stays in flight: it may still leave, or has left without a verdict, and
    /// counts for R2.
    mutating func pushed(_ id: PageID, _ verdicts: PageVerdicts, at now: Instant, _ effects: inout [Effect]) {
        guard let page = flights[id] else { return }
        guard !verdicts.open.isEmpty else { return settle(id, page, verdicts, at: now, &effects) }
        guard let parts = page.divided(open: verdicts.open) else { return }
        flights[id] = parts.open
        divide(page, into: parts)
        settle(add(parts.answered), parts.answered, verdicts, at: now, &effects)
    }

    private mutating func settle(
        _ id: PageID, _ page: TakenPage, _ verdicts: PageVerdicts, at now: Instant, _ effects: inout [Effect]
    ) {
        // Those of an earlier part are among them.
        let own = page.verdicts(among: verdicts)
        listen(to: own, of: page.app, at: now, &effects)
        effects.append(.settle(id, page, own, resting: restPlans(of: page)))
    }

    /// Both parts are in flight, each by itself: members of the ring that were taken together and are not any more stand for
    /// themselves.
    private mutating func divide(_ page: TakenPage, into parts: TakenPage.Parts) {
        let runs = parts.answered.runs + parts.open.runs
        for run in page.runs {
            guard let number = run.ring?.page else { continue }
            let isKept = runs.contains { $0.activity == run.activity && $0.ring?.page == number }
            if !isKept { release(number, of: run.activity) }
        }
        for part in [parts.answered, parts.open] {
            for run in part.runs where run.ring == nil {
                turns[run.activity]?.inFlight.formUnion(part.sent[run.slots].map(\.ordinal))
            }
        }
        let waiting = Set(parts.open.activities)
        for id in parts.answered.activities where waiting.contains(id) {
            turns[id]?.pages += 1
            if turns[id]?.ended?.includes(page) == true { turns[id]?.ended?.pages += 1 }
        }
    }
}

import APNSWire
import EyotDomain

/// The settling of a page before all of its verdicts are known (R10).
extension EngineCore {
    /// Settles the known part of a page. The open part stays in flight and counts for R2, because its pushes may still
    /// leave.
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
        // The verdicts of the whole page include those of an earlier part.
        let own = page.verdicts(among: verdicts)
        listen(to: own, of: page, at: now, &effects)
        effects.append(.settle(id, page, own, resting: restPlans(of: page)))
    }

    /// Puts both parts in flight. Members of a ring page that are no longer settled together are tracked by their own
    /// ordinals.
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

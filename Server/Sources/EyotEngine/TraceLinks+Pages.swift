import APNSWire
import EyotContract
import EyotDomain
import EyotTracing

extension TraceLinks {
    /// Records the spans of a page: one for each followed operation, never one for each push.
    func note(_ verdicts: PageVerdicts, of page: TakenPage, at now: Instant) {
        guard !isEmpty, let leftAt = page.leftAt else { return }
        var parts: [Place: Part] = [:]
        for run in page.runs {
            for slot in run.slots {
                let place = Place(activity: run.activity, version: page.sent[slot].push.version)
                parts[place, default: Part()].pushes += 1
                if verdicts.verdicts[slot] == .accepted { parts[place]?.accepted += 1 }
            }
        }
        note(parts, in: page.page.environment.rawValue, from: leftAt, to: now)
    }
}

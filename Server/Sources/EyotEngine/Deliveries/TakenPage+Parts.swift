import APNSWire
import EyotDomain

extension TakenPage {
    /// The answered part and the open part of a page, each as a page that is settled by itself.
    package struct Parts: Sendable {
        package var answered: TakenPage
        package var open: TakenPage
    }

    /// Divides the page if some of its verdicts are known.
    ///
    /// Members of the ring that were taken together are divided too, and the smaller part gets rows of its own. If the
    /// open part is smaller or both are equal, its members are excluded from the page's credit. Otherwise the answered
    /// members are settled one by one.
    ///
    /// - Parameter open: Slots of the page that left.
    /// - Returns: nil if none or all of the verdicts are known.
    package func divided(open: [Int]) -> Parts? {
        let slots = slots ?? Array(0..<count)
        let isOpen = Set(open)
        var parts = Parts(
            answered: TakenPage(app: app, environment: page.environment, shard: shard, renewedAt: renewedAt),
            open: TakenPage(app: app, environment: page.environment, shard: shard, renewedAt: renewedAt))
        (parts.answered.number, parts.open.number) = (number, number)
        (parts.answered.isTrial, parts.open.isTrial) = (isTrial, isTrial)
        (parts.answered.leftAt, parts.open.leftAt) = (leftAt, leftAt)
        for run in runs {
            let waiting = run.slots.filter { isOpen.contains(slots[$0]) }
            let known = run.slots.filter { !isOpen.contains(slots[$0]) }
            var (knownRing, waitingRing) = (run.ring, run.ring)
            if !known.isEmpty, !waiting.isEmpty {
                waitingRing = nil
                let isCredited = known.count >= waiting.count
                knownRing = isCredited ? run.ring?.keeping(known.map { $0 - run.slots.lowerBound }) : nil
                knownRing?.open += waiting.map { sent[$0].ordinal }
            }
            parts.answered.add(known, of: run.activity, known.map { slots[$0] }, from: self, ring: knownRing)
            parts.open.add(waiting, of: run.activity, waiting.map { slots[$0] }, from: self, ring: waitingRing)
        }
        guard parts.answered.count > 0, parts.open.count > 0 else { return nil }
        divide(mark, into: &parts)
        return parts
    }

    /// Gives each part the alerts of its own cards.
    private func divide(_ mark: AlertMark?, into parts: inout Parts) {
        guard let mark else { return }
        var open: [ActivityID: Set<Int>] = [:]
        for run in parts.open.runs {
            open[run.activity, default: []].formUnion(parts.open.sent[run.slots].map(\.ordinal))
        }
        parts.answered.mark = mark.keeping { open[$0]?.contains($1) != true }
        parts.open.mark = mark.keeping { open[$0]?.contains($1) == true }
    }

    /// The verdicts of this page's slots, from those of the page that left.
    package func verdicts(among all: PageVerdicts) -> PageVerdicts { slots.map(all.picking) ?? all }
}

extension RingRun {
    /// The same run with some of its slots.
    fileprivate func keeping(_ indices: [Int]) -> RingRun {
        var part = self
        part.groupOf = indices.map { groupOf[$0] }
        part.tokenSetAt = indices.map { tokenSetAt[$0] }
        return part
    }
}

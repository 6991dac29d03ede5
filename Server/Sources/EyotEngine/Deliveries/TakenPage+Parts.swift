import APNSWire
import EyotDomain

extension TakenPage {
    /// What has its verdict of a page, and what waits on for it, each as a page that is settled by itself.
    package struct Parts: Sendable {
        package var answered: TakenPage
        package var open: TakenPage
    }

    /// Divides the page where some of its verdicts are known; nil where none of them is, or all are.
    ///
    /// Of members of the ring that were taken together, fewer than half get rows of their own: the open ones, so that the
    /// credit of their page does not count for them, or those that were answered.
    ///
    /// - Parameter open: slots of the page that left.
    package func divided(open: [Int]) -> Parts? {
        let slots = slots ?? Array(0..<count)
        let isOpen = Set(open)
        var parts = Parts(
            answered: TakenPage(app: app, environment: page.environment, renewedAt: renewedAt),
            open: TakenPage(app: app, environment: page.environment, renewedAt: renewedAt))
        (parts.answered.number, parts.open.number) = (number, number)
        (parts.answered.isTrial, parts.open.isTrial) = (isTrial, isTrial)
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
        return parts.answered.count > 0 && parts.open.count > 0 ? parts : nil
    }

    /// Its own verdicts of those of the page that left.
    package func verdicts(among all: PageVerdicts) -> PageVerdicts { slots.map(all.picking) ?? all }
}

extension RingRun {
    /// The same, of some of its slots.
    fileprivate func keeping(_ indices: [Int]) -> RingRun {
        var part = self
        part.groupOf = indices.map { groupOf[$0] }
        part.tokenSetAt = indices.map { tokenSetAt[$0] }
        return part
    }
}

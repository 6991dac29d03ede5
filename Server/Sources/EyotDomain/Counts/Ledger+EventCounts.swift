/// Counts of events of an app as a whole. They answer how often something happened, without a look at the events.
extension CountSpan {
    /// Seconds for which hours are kept. Older ones are merged into days.
    package static let hoursKept = 30 * Double(day)
}

extension Ledger {
    /// Counts an event in the hour in which it happened.
    ///
    /// Its reason is the detail, unless apps choose it: phones could otherwise make as many numbers as they like.
    func countForApp(_ event: Event) {
        let detail = event.fact.kind.hasTypeAsReason ? "" : event.fact.reason ?? ""
        counted.add(
            1,
            to: CountKey(
                app: event.app, activity: .ofApp, KeptCounter(event.fact.kind), detail,
                in: CountSpan(of: event.at, width: CountSpan.hour)))
    }
}

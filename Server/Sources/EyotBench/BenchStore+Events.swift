import EyotDomain

extension BenchStore {
    /// The events of one transaction.
    private static let batch = 20_000
    private static let kinds: [EventKind] = [
        .cardAppeared, .updateTokenSet, .updateTokenReplaced, .pushRefused, .cardDismissed,
    ]

    /// Records events about the cards of an activity in turn, one after the other.
    func record(events: Int, of name: String, cards: Int) async throws {
        let (app, now) = (app, clock.now)
        let activity = try await store.read { ledger in
            guard let activity = try ledger.newestActivity(named: name, in: app) else {
                throw BenchError.missing(name)
            }
            return activity.id
        }
        for first in stride(from: 0, to: events, by: Self.batch) {
            let numbers = first..<min(first + Self.batch, events)
            try await store.write { ledger in
                for number in numbers {
                    let kind = Self.kinds[number / cards % Self.kinds.count]
                    let reason = kind == .pushRefused ? "BadDeviceToken" : nil
                    var event = Event(app: app, at: now, Fact(kind, version: 1, reason: reason))
                    let card = number % cards + 1
                    (event.activity, event.ordinal) = (activity, card)
                    event.device = DeviceID(rawValue: Int64(card))
                    try ledger.record(event)
                }
            }
        }
    }
}

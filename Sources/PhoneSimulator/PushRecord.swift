import APNSWire
import Foundation

/// One push that arrived for a phone, with the phone's handling of it.
public struct PushRecord: Sendable, Hashable {
    /// 1, 2, 3 … on this phone.
    public let number: Int
    /// When it came, in true time.
    public let receivedAt: Date
    /// The push.
    public let push: DeliveredPush
    /// The event that it names, if it could be read.
    public internal(set) var event: LiveActivityEvent?
    /// Its timestamp, if it could be read.
    public internal(set) var timestamp: Date?
    /// Whether it lit the screen: it was applied and carried an alert.
    public internal(set) var alerted = false
    /// The phone's handling of it.
    public internal(set) var effect: PushEffect

    init(number: Int, receivedAt: Date, push: DeliveredPush, effect: PushEffect = .stored) {
        self.number = number
        self.receivedAt = receivedAt
        self.push = push
        self.effect = effect
    }
}

/// The latest entries, up to a limit; older ones are forgotten.
public struct BoundedLog<Entry: Sendable>: Sendable {
    /// How many entries are kept.
    public let limit: Int
    /// How many there have been in all.
    public private(set) var total = 0
    private var kept: [Entry] = []

    init(limit: Int) { self.limit = limit }

    /// The entries that are kept, oldest first.
    public var entries: [Entry] { kept.suffix(limit) }

    /// The kept entries that came after a total.
    func entries(after earlier: Int) -> ArraySlice<Entry> {
        kept.suffix(Swift.max(0, Swift.min(limit, total - earlier)))
    }

    mutating func append(_ entry: Entry) {
        total += 1
        kept.append(entry)
        // Trimmed in lumps, so that a full log does not move all its entries at every push.
        if kept.count > 2 * limit { kept.removeFirst(kept.count - limit) }
    }
}

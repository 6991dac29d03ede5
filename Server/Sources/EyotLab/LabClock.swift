import Foundation
import Synchronization

/// The wall clock, and ahead of it by as much as somebody has advanced it.
final class LabClock: Sendable {
    private let lead: Mutex<TimeInterval>

    init(lead: TimeInterval = 0) { self.lead = Mutex(lead) }

    /// Seconds by which it is ahead.
    var seconds: TimeInterval { lead.withLock { $0 } }

    func now() -> Date { Date().addingTimeInterval(seconds) }

    func advance(by seconds: TimeInterval) { lead.withLock { $0 += seconds } }
}

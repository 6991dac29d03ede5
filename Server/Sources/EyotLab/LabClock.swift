import Foundation
import Synchronization

/// The wall clock plus a lead, which only grows. A lab that goes on with an old folder may begin behind the wall clock.
final class LabClock: Sendable {
    private let lead: Mutex<TimeInterval>

    init(lead: TimeInterval = 0) { self.lead = Mutex(lead) }

    /// The lead in seconds.
    var seconds: TimeInterval { lead.withLock { $0 } }

    func now() -> Date { Date().addingTimeInterval(seconds) }

    func advance(by seconds: TimeInterval) { lead.withLock { $0 += seconds } }
}

import Foundation

/// The second in which a database that is replaced may have pushed last.
///
/// A copy does not know its newest pushes. In the same second it would push to the same cards once more, and a phone
/// drops a push that has the timestamp of an earlier one (R7). So a command that sets a database back ends a second
/// after it began at the earliest.
struct FormerSecond {
    private let begin = ContinuousClock.now

    /// Waits until the second is over.
    func pass() {
        let left = ContinuousClock.now.duration(to: begin + .seconds(1)) / .seconds(1)
        if left > 0 { Thread.sleep(forTimeInterval: left) }
    }
}

import EyotContract
import EyotKit
import Foundation

/// A clock that stands still until a test moves it.
///
/// Unchecked: all variables are read and written between lock and unlock only.
final class ManualClock: KitClock, @unchecked Sendable {
    private struct Sleeper {
        let id: Int
        let until: Date
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let lock = NSLock()
    private var time = Date(timeIntervalSince1970: 1_671_375_600)
    private var sleepers: [Sleeper] = []
    private var cancelled: Set<Int> = []
    private var lastID = 0
    /// Seconds of every sleep that begins; those of a day and more, and those in which a token or an answer is
    /// missed, are left out.
    let sleeps: AsyncStream<Double>
    private let sleepBegan: AsyncStream<Double>.Continuation

    init() { (sleeps, sleepBegan) = AsyncStream.makeStream() }

    func now() -> Date { lock.withLock { time } }

    func sleep(seconds: Double) async throws {
        let id = lock.withLock {
            lastID += 1
            return lastID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = lock.withLock {
                    guard cancelled.remove(id) == nil else { return true }
                    sleepers.append(.init(id: id, until: time + seconds, continuation: continuation))
                    return false
                }
                if isCancelled { return continuation.resume(throwing: CancellationError()) }
                let isUsual = [TokenAbsence.patience, TokenAbsence.wakefulness, HandOver.patience].contains(seconds)
                if seconds < 86_400, !isUsual { sleepBegan.yield(seconds) }
            }
        } onCancel: {
            let sleeper = lock.withLock { () -> Sleeper? in
                guard let index = sleepers.firstIndex(where: { $0.id == id }) else {
                    cancelled.insert(id)
                    return nil
                }
                return sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits for the next sleeper, and returns the seconds that it sleeps.
    func nextSleep() async -> Double {
        for await seconds in sleeps { return seconds }
        return .nan
    }

    /// Returns when at least the given number of sleepers sleep for the given seconds.
    func waitForSleepers(_ count: Int, of seconds: Double) async {
        while !Task.isCancelled, lock.withLock({ sleepers.count { $0.until == time + seconds } }) < count {
            await Task.yield()
        }
    }

    func advance(by seconds: Double) {
        let due = lock.withLock {
            time += seconds
            let due = sleepers.filter { $0.until <= time }
            sleepers.removeAll { $0.until <= time }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }
}

/// The clock of a phone that may be wrong. It goes as fast as the true one.
struct PhoneClock: KitClock {
    let clock: ManualClock
    let skew: Guarded<Double>

    func now() -> Date { clock.now() + skew.withLock { $0 } }

    func sleep(seconds: Double) async throws { try await clock.sleep(seconds: seconds) }
}

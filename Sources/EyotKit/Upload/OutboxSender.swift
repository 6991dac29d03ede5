import EyotContract
import Foundation

/// Brings the outbox to the server, one request at a time, for as long as it runs.
struct OutboxSender: Sendable {
    /// Why the sender looks again.
    enum Signal: Sendable, Equatable {
        case somethingToSend
        /// Do not wait out a back-off: the network is back, or the app came to the foreground.
        case retryNow
        /// The wait with this number is over.
        case waited(Int)
    }

    let ledger: DeviceLedger
    let transport: any Transport
    let clock: any KitClock
    let chance: @Sendable () -> Double
    let configuration: EyotConfiguration
    let permissions: @Sendable () -> DevicePermissions
    let signals: AsyncStream<Signal>
    let signal: AsyncStream<Signal>.Continuation

    /// Returns when the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { waits in
            var pace = Pace()
            var iterator = signals.makeAsyncIterator()
            while !Task.isCancelled {
                let seconds = await attempt(&pace)
                if seconds == 0 { continue }
                if let seconds {
                    pace.waits += 1
                    let wait = pace.waits
                    waits.addTask {
                        try? await clock.sleep(seconds: seconds)
                        signal.yield(.waited(wait))
                    }
                }
                guard await isWoken(by: &iterator, waitingFor: seconds == nil ? nil : pace.waits, &waits) else { break }
            }
            waits.cancelAll()
        }
    }

    /// Waits for a reason to go on; false at the end.
    private func isWoken(
        by iterator: inout AsyncStream<Signal>.Iterator, waitingFor wait: Int?, _ waits: inout TaskGroup<Void>
    ) async -> Bool {
        while let signal = await iterator.next() {
            if case .waited = signal { _ = await waits.next() }
            switch signal {
            case .somethingToSend where wait != nil: continue
            case .waited(let finished) where finished != wait: continue
            default: return true
            }
        }
        return false
    }
}

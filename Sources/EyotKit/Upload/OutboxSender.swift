import EyotContract
import Foundation

/// The sender of the outbox, one request at a time.
struct OutboxSender: Sendable {
    /// The reasons why the sender looks again.
    enum Signal: Sendable, Equatable {
        case somethingToSend
        /// A new token, or a card that appeared. The system gives the app a few seconds for it, and may then suspend it
        /// for hours. The number is the ledger's count of urgent changes.
        case pressing(Int)
        /// Skip the wait, except the part that the server asked for: the network is back, or the app came to the
        /// foreground.
        case retryNow
        /// The wait with this number is over.
        case waited(Int)
    }

    let ledger: InstallationLedger
    let transport: any Transport
    let clock: any KitClock
    let chance: @Sendable () -> Double
    let configuration: EyotConfiguration
    let permissions: @Sendable () -> DevicePermissions
    let signals: AsyncStream<Signal>
    let signal: AsyncStream<Signal>.Continuation
    /// Whether the system has a request of this launch.
    let hasHandedOver = Guarded(false)

    /// Sends until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { waits in
            var pace = Pace()
            var iterator = signals.makeAsyncIterator()
            while !Task.isCancelled {
                let pause = await attempt(&pace)
                if let pause, pause.seconds == 0 { continue }
                guard await isWoken(by: &iterator, after: pause, &pace, &waits) else { break }
            }
            waits.cancelAll()
        }
    }

    /// Begins to wait.
    ///
    /// - Returns: the wait's number.
    private func wait(_ seconds: Double, _ pace: inout Pace, _ waits: inout TaskGroup<Void>) -> Int {
        pace.waits += 1
        let wait = pace.waits
        waits.addTask {
            try? await clock.sleep(seconds: seconds)
            signal.yield(.waited(wait))
        }
        return wait
    }

    /// Waits for a reason to continue. Returns false at the end. An urgent change, a network that is back and an app
    /// that comes to the foreground end a pause of the SDK's own, but not the part that the server asked for.
    private func isWoken(
        by iterator: inout AsyncStream<Signal>.Iterator, after pause: Pause?, _ pace: inout Pace,
        _ waits: inout TaskGroup<Void>
    ) async -> Bool {
        var isAskedOver = pause?.asked == 0
        let asked = pause.flatMap { isAskedOver || $0.asked >= $0.seconds ? nil : wait($0.asked, &pace, &waits) }
        let whole = pause.map { wait($0.seconds, &pace, &waits) }
        var isPressed = false
        while let signal = await iterator.next() {
            if case .waited = signal { _ = await waits.next() }
            guard let whole else {
                if case .waited = signal { continue }
                return true
            }
            switch signal {
            case .waited(whole): return true
            case .retryNow: isPressed = true
            case .pressing(let number): isPressed = await ledger.isUntried(number) || isPressed
            case .waited(asked): isAskedOver = true
            case .waited, .somethingToSend: continue
            }
            if isPressed, isAskedOver { return true }
        }
        return false
    }
}

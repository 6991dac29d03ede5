/// What the SDK does by itself when the app comes to the front or the network is back: it reads start tokens and
/// permissions again, tells the server every followed card, and waits out no pause.
@available(iOS 16.2, *)
struct Housekeeping: Sendable {
    let ledger: DeviceLedger
    let sender: OutboxSender
    let source: any SystemSignalSource

    /// Seconds within which cards are told once: people switch between apps, and networks come and go.
    static let interval = 10.0

    /// Runs until the task is cancelled.
    func run() async {
        var lastRound: Double?
        for await signal in source.signals() {
            sender.signal.yield(.retryNow)
            if signal == .foreground { await ledger.permissionsSeen(.current) }
            let now = ledger.clock.now().timeIntervalSince1970
            if let lastRound, (0..<Self.interval).contains(now - lastRound) { continue }
            lastRound = now
            for look in await ledger.startTokenLooks.values { await look() }
            await ledger.askForStates()
            sender.signal.yield(.retryNow)
        }
    }
}

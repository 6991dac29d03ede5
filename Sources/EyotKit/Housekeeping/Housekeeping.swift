/// The work that the SDK does when the app comes to the foreground or the network is back. It reads start tokens and
/// permissions again, reports every followed card and ends a pause between tries.
@available(iOS 16.2, *)
struct Housekeeping: Sendable {
    let ledger: InstallationLedger
    let sender: OutboxSender
    let source: any SystemSignalSource

    /// Seconds within which cards are reported once, because people switch between apps and networks come and go.
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
            await ledger.tellUntoldIfDue()
            for look in await ledger.startTokenLooks.values { await look() }
            await ledger.askForStates()
            sender.signal.yield(.retryNow)
        }
    }
}

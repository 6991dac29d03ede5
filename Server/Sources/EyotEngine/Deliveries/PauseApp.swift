import APNSWire
import EyotDomain

/// Pauses an app: Apple refuses in a way that would bury tokens that are in order (R8).
package struct PauseApp {
    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    package func callAsFunction(_ id: AppID, because reason: APNSReason) throws {
        guard var app = try ledger.app(id), app.pause == nil else { return }
        app.pause = AppPause(reason: reason, since: now)
        try ledger.update(app)
        if reason.action == .suspectToken { try LiftSuspicion(ledger: ledger, now: now)(in: id) }
    }
}

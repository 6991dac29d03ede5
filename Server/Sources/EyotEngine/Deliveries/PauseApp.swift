import APNSWire
import EyotContract
import EyotDomain

/// Pauses an app in the environments concerned: Apple refuses in a way that would bury tokens that are in order (R8).
package struct PauseApp {
    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// - Returns: whether ``LiftSuspicion`` has more to do in further transactions. Should nobody see to it, that is done when
    ///   the app is resumed.
    package func callAsFunction(
        _ id: AppID, in environments: Set<PushEnvironment>, because reason: APNSReason
    ) throws -> Bool {
        guard var app = try ledger.app(id) else { return false }
        let further = environments.filter { app.pauses[$0] == nil }
        guard !further.isEmpty else { return false }
        for environment in further { app.pauses[environment] = AppPause(reason: reason, since: now) }
        try ledger.update(app)
        return try reason.action == .suspectToken && LiftSuspicion(ledger: ledger, now: now)(in: id)
    }
}

import APNSWire
import EyotContract
import EyotDomain

/// Refusals that show that an app is at fault, and the page that got them.
package struct AppFault: Sendable, Hashable {
    package var app: AppID
    /// Environments in which nothing may be sent any more.
    package var environments: Set<PushEnvironment>
    package var reason: APNSReason
    /// The page's environment.
    package var environment: PushEnvironment
    /// ``App/renewedAt`` when the page was taken.
    package var renewedAt: Instant?

    /// Makes a fault of one environment.
    package init(of app: AppID, in environment: PushEnvironment, renewedAt: Instant?, because reason: APNSReason) {
        self.app = app
        self.environment = environment
        self.renewedAt = renewedAt
        self.reason = reason
        environments = [environment]
    }
}

extension App {
    /// Whether a key was stored or the app was resumed after a page was taken. Answers to the page then say nothing
    /// about the app as it is now.
    func isRenewed(in environment: PushEnvironment, since moment: Instant?) -> Bool { renewedAt[environment] != moment }
}

/// The transaction that pauses an app in some environments, because Apple's refusals would bury tokens that are in
/// order (R8).
package struct PauseApp: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// The result of a fault.
    package struct Outcome: Sendable, Hashable {
        /// The environments that this fault has paused. Empty if the fault is void or they were paused already.
        package var paused: Set<PushEnvironment> = []
        /// Whether ``ClearSuspicion`` has more to do in further transactions. If they do not run, resuming the app does
        /// it.
        package var hasMore = false
    }

    package func callAsFunction(_ fault: AppFault) throws -> Outcome {
        guard let former = try ledger.app(fault.app), !former.isRenewed(in: fault.environment, since: fault.renewedAt)
        else {
            return Outcome()
        }
        var app = former
        let further = fault.environments.filter { app.pauses[$0] == nil }
        guard !further.isEmpty else { return Outcome() }
        for environment in further { app.pause(in: environment, because: fault.reason, at: now) }
        try transaction.update(app, from: former)
        let hasMore =
            try fault.reason.action == .suspectToken && ClearSuspicion(transaction)(in: fault.app)
        return Outcome(paused: further, hasMore: hasMore)
    }
}

import EyotCommands
import EyotContract
import EyotDomain
import EyotMetrics
import EyotTracing
import HTTPConnections

/// The services that routes use. Routes only translate; these services make every decision.
package struct Backend: Sendable {
    package var store: any Store
    var registrations: Registrations
    package var clock: any WallClock
    package var sealer: Sealer
    var checkAPNSKey: APNSKeyCheck
    /// Verifies identity tokens of users and signed assertions of clients.
    package var identities: any IdentityVerifier & ClientAssertionVerifier
    var limits: CallLimits
    /// Whether other nodes answer calls on the same database. Limits then count the calls of all.
    package var sharesCounts = false
    /// Limits for how much data devices may store.
    var quotas: AppQuotas
    /// The record of reads, changes and refusals.
    package var trail: AuditTrail
    /// The keys that were used, for ``KeyUses/write(to:)``.
    var keyUses: KeyUses
    /// Whether and why this process pushes or does not.
    package var pushing: PushingState
    /// Counters of the requests and connections that listeners and routes refused for lack of room or time.
    package var refusals: Refusals
    /// The lists of running activities that this process has read.
    let running = RunningActivities()
    /// Those who follow events.
    package let feed = EventFeed()
    /// Posts to receivers of webhooks. Without one each post fails.
    package var webhooks: any WebhookPoster = NoWebhookPoster()
    /// Sends pushes that people write by hand. Without one none reaches Apple.
    package var pusher: any Pusher = NoPusher()
    /// The metrics of the server.
    package var meters = Meters()
    /// Traces calls; nil if nothing is traced.
    package var tracer: CallTracer?
    /// What the build of the server says of itself.
    package var build = BuildDescription()
    /// What health knows beside the store.
    package var health = HealthSource()
    /// The limit of logged answers.
    package let answers = AnswerLog()
    package let refusedCalls = RefusedCalls()
    /// Whether the server is about to stop. It still answers, but its readiness check asks for no new traffic.
    var isDraining: @Sendable () -> Bool

    /// - Parameters:
    ///   - checkAPNSKey: throws an error with a readable message if the text is not a private key for APNs.
    ///   - registrations: processes the reports of devices. Without it each report is applied at once.
    ///   - identities: without it no proof is accepted, and no identity key can be added.
    ///   - limits: by default calls are not limited.
    ///   - quotas: by default the data of devices is not limited.
    ///   - pushing: written by the node of this process. Without it the state of pushing is unknown.
    ///   - isDraining: called by each `/readyz`.
    package init(
        store: any Store, clock: any WallClock, sealer: Sealer, checkAPNSKey: @escaping APNSKeyCheck,
        registrations: Registrations? = nil,
        identities: any IdentityVerifier & ClientAssertionVerifier = NoIdentityVerifier(),
        limits: CallLimits = CallLimits(), quotas: AppQuotas = AppQuotas(), trail: AuditTrail = AuditTrail(),
        keyUses: KeyUses = KeyUses(),
        pushing: PushingState? = nil, refusals: Refusals = Refusals(),
        isDraining: @escaping @Sendable () -> Bool = { false }
    ) {
        self.store = store
        var ordinary = Registrations.Limits()
        ordinary.quotas = quotas
        self.registrations = registrations ?? Registrations(store: store, clock: clock, limits: ordinary) { _ in }
        self.clock = clock
        self.sealer = sealer
        self.checkAPNSKey = checkAPNSKey
        self.identities = identities
        self.limits = limits
        self.quotas = quotas
        self.trail = trail
        self.keyUses = keyUses
        self.pushing = pushing ?? PushingState(at: clock.now)
        self.refusals = refusals
        self.isDraining = isDraining
    }

    /// The counts of limits that all nodes share; nil for a process that has its database for itself.
    var counts: SharedCounts? { sharesCounts ? SharedCounts(store: store, pushing: pushing) : nil }

    /// The one door in.
    package var commands: Commands { Commands(store: store, clock: clock, pushing: pushing) }
}

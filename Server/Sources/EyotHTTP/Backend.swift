import EyotCommands
import EyotContract
import EyotDomain
import HTTPConnections

/// What the routes stand on. They translate and nothing else: every decision is made behind this.
package struct Backend: Sendable {
    package var store: any Store
    var registrations: Registrations
    package var clock: any WallClock
    package var sealer: Sealer
    var checkAPNSKey: APNSKeyCheck
    /// Who finds out whether users are who phones say they are, and clients who they say they are.
    package var identities: any IdentityVerifier & ClientAssertionVerifier
    var limits: CallLimits
    /// How much phones may fill.
    var quotas: AppQuotas
    /// Who read, changed or was refused what.
    package var trail: AuditTrail
    /// Which keys are used, for ``KeyUses/write(to:)``.
    var keyUses: KeyUses
    /// What this process says of its pushing.
    package var pushing: PushingState
    /// What the listeners and the routes refused for want of room or time.
    package var refusals: Refusals
    /// Whether the server is about to stop: it answers, and asks to be sent nothing new.
    var isDraining: @Sendable () -> Bool

    /// - Parameters:
    ///   - checkAPNSKey: throws an error in plain words for text that is no private key for APNs.
    ///   - registrations: take in what phones report; without them every report is applied at once.
    ///   - identities: without one no proof holds, and no key is taken.
    ///   - limits: without them everybody may call as often as they like.
    ///   - quotas: without them phones may fill what they like.
    ///   - pushing: what the node of this process writes; without it nothing is known of pushing.
    ///   - isDraining: asked by every `/readyz`.
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

    /// Reads reports on activities and operations.
    package var inspect: InspectActivity { InspectActivity(store: store, clock: clock, pushing: pushing) }
}

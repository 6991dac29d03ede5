import EyotCommands
import EyotContract
import EyotDomain

/// What the routes stand on. They translate and nothing else: every decision is made behind this.
package struct Backend: Sendable {
    var store: any Store
    var clock: any WallClock
    var sealer: Sealer
    var checkAPNSKey: APNSKeyCheck
    /// Registrations of installations that one address may make for an app in a minute; 0 is without limit.
    var registrationsPerMinute: Int
    /// Whether the server is about to stop: it answers, and asks to be sent nothing new.
    var isDraining: @Sendable () -> Bool

    /// - Parameters:
    ///   - checkAPNSKey: throws an error in plain words for text that is no private key for APNs.
    ///   - isDraining: asked by every `/readyz`.
    package init(
        store: any Store, clock: any WallClock, sealer: Sealer, checkAPNSKey: @escaping APNSKeyCheck,
        registrationsPerMinute: Int = 0, isDraining: @escaping @Sendable () -> Bool = { false }
    ) {
        self.store = store
        self.clock = clock
        self.sealer = sealer
        self.checkAPNSKey = checkAPNSKey
        self.registrationsPerMinute = registrationsPerMinute
        self.isDraining = isDraining
    }
}

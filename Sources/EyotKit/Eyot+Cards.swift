import EyotContract
import Foundation

/// Cards and their types. All of this needs the instance to run, before or afterwards.
@available(iOS 16.2, *)
extension Eyot {
    /// Makes this type the server's: it may start cards where the system can (iOS 17.2), and every card is followed,
    /// those that run and those that appear. Call it at every launch, early: a launch by a push gives seconds.
    ///
    /// It is ``register(_:name:)`` and ``resume(_:name:)`` in one call.
    ///
    /// - Parameters:
    ///   - type: of the attributes.
    ///   - name: the name by which the backend speaks of a card, as in ``resume(_:name:)``.
    public func follow<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, name: (@Sendable (Attributes) -> String?)? = nil
    ) {
        // On an older system there is nothing to say: the cards are followed all the same.
        if configuration.capabilities.startTokens { register(type) }
        resume(type, name: name)
    }

    /// The server may start cards of this type from now on, where the system can (iOS 17.2).
    ///
    /// Call it at every launch, and when the app comes to the foreground. The phone's push-to-start token is read and
    /// followed, told when it changes, and told again until the server has it and once a day after.
    ///
    /// - Parameters:
    ///   - type: of the attributes.
    ///   - registration: what ``unregister(name:)`` calls it, 1 to 256 bytes. The server speaks of the type by its own name, which
    ///     is what Apple's `attributes-type` has to be.
    public func register<Attributes: ActivityAttributes>(_ type: Attributes.Type, name registration: String? = nil) {
        guard hasActivityKit else { return }
        beginStarts(nonisolatedType(type), named: registration)
    }

    private func beginStarts<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, named registration: String?
    ) {
        let name = Activity<Attributes>.typeName
        guard configuration.capabilities.startTokens, #available(iOS 17.2, *) else {
            let osVersion = configuration.capabilities.osVersion
            return ask(
                for: .work { [ledger] in
                    await ledger.report(.startTokensUnavailable(type: name, osVersion: osVersion))
                })
        }
        let follower = StartTokenFollower<Attributes>(type: name, ledger: ledger)
        ask(
            for: .begin { [ledger] in
                await ledger.checkAuthorization()
                guard await ledger.beginStarts(of: name, named: registration, look: follower.offer) else {
                    return follower.offer
                }
                return follower.run
            })
    }

    /// The server may no longer start cards of this type. A type that is not registered is reported, and nothing happens.
    public func unregister<Attributes: ActivityAttributes>(_ type: Attributes.Type) {
        guard hasActivityKit else { return }
        ask(for: .endStarts(type: Activity<Attributes>.typeName))
    }

    /// The same, by the name that was given to ``register(_:name:)``, in this launch or in an earlier one. A name that nothing is
    /// registered under is reported, and nothing happens.
    public func unregister(name: String) { ask(for: .endStartsNamed(name)) }

    /// Follows every card of this type: those that run, and those that appear. Call it at every launch, early: a launch by
    /// a push gives seconds.
    ///
    /// - Parameters:
    ///   - type: of the attributes.
    ///   - name: the name by which the backend speaks of a card. Without it, and where it answers nil, the name comes from
    ///     `EyotActivityAttributes` or from a vendor's member in the attributes.
    public func resume<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, name: (@Sendable (Attributes) -> String?)? = nil
    ) {
        resume(type, name: name, patience: 0)
    }

    /// The same, where a card without a name is reported only if nobody has named it after so many seconds.
    package func resume<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, name: (@Sendable (Attributes) -> String?)? = nil, patience: Double
    ) {
        guard hasActivityKit else { return }
        followAll(nonisolatedType(type), name: name.map { erased($0) }, patience: patience)
    }

    private func followAll<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, name: (@Sendable (Any) -> String?)?, patience: Double
    ) {
        let tracker = tracker(naming: CardNaming<Attributes>(name: name), patience: patience)
        let present = Set(Activity<Attributes>.activities.map(\.id))
        ask(
            for: .begin { [ledger] in
                await ledger.checkAuthorization()
                guard let running = await tracker.followRunning(present) else { return nil }
                return { await tracker.followNew(besides: running) }
            })
    }

    /// Follows those cards of this type that an earlier launch followed and that still run. New ones wait for
    /// ``observe(_:name:)``.
    package func resumeKnown<Attributes: ActivityAttributes>(_ type: Attributes.Type) {
        guard hasActivityKit else { return }
        followKnown(nonisolatedType(type))
    }

    private func followKnown<Attributes: ActivityAttributes & SendableMetatype>(_ type: Attributes.Type) {
        let tracker = tracker(naming: CardNaming<Attributes>(name: nil))
        ask(
            for: .begin { [ledger] in
                await ledger.checkAuthorization()
                await tracker.followKnown()
                return nil
            })
    }

    /// Follows one card, for example one that the app has just requested. An older card of the same name is taken off the
    /// Lock Screen.
    ///
    /// - Parameters:
    ///   - activity: the card.
    ///   - name: its name; nil leaves that to the attributes, as in ``resume(_:name:)``.
    public func observe<Attributes: ActivityAttributes>(_ activity: Activity<Attributes>, name: String? = nil) {
        observe(Attributes.self, instance: activity.id, name: name)
    }

    /// Follows the card with this id.
    package func observe<Attributes: ActivityAttributes>(_ type: Attributes.Type, instance: String, name: String?) {
        guard hasActivityKit else { return }
        followOne(nonisolatedType(type), instance: instance, name: name)
    }

    private func followOne<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, instance: String, name: String?
    ) {
        let tracker = tracker(naming: CardNaming<Attributes>(name: nil))
        ask(
            for: .begin {
                await tracker.follow(instance: instance, name: name)
                return nil
            })
    }

    /// Stops following a card; it runs on and is not updated any more. ``observe(_:name:)`` takes it up again.
    public func stopTracking<Attributes: ActivityAttributes>(_ activity: Activity<Attributes>) {
        ask(for: .stopTracking(instance: activity.id))
    }

    /// Stops following all cards of a type, those that appear later included. They run on and are not updated any more, also after
    /// the next launch. ``resume(_:name:)`` follows new ones again, and ``observe(_:name:)`` takes one up that runs.
    public func stopTracking<Attributes: ActivityAttributes>(_ type: Attributes.Type) {
        guard hasActivityKit else { return }
        ask(for: .stopTrackingAll(type: Activity<Attributes>.typeName))
    }

    /// Stops following all cards of all types, as ``stopTracking(_:)-(Attributes.Type)`` does with one. Nothing is ended.
    public func stopTrackingAll() { ask(for: .stopTrackingAll(type: nil)) }

    /// The app is about to show another state on a card by itself. The server leaves that card alone until something new is
    /// declared for it. A card that is not followed is nobody's business but the app's.
    ///
    /// A push that is on its way is not called back: what it shows was declared before.
    public func willChangeLocally<Attributes: ActivityAttributes>(_ activity: Activity<Attributes>) {
        ask(for: .changedLocally(instance: activity.id))
    }

    /// Whether ActivityKit may be touched. Without it the instance does nothing, and says so when it runs.
    private var hasActivityKit: Bool { configuration.capabilities.activities }

    private func tracker<Attributes: ActivityAttributes & SendableMetatype>(
        naming: CardNaming<Attributes>, patience: Double = 0
    ) -> CardTracker<Attributes> {
        CardTracker(
            type: Activity<Attributes>.typeName, naming: naming, patience: patience, ledger: ledger,
            capabilities: configuration.capabilities, prepare: configuration.prepareCard,
            beginWork: { [weak self] work in self?.ask(for: .work(work)) })
    }
}

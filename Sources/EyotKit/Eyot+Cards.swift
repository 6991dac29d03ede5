import EyotContract
import Foundation

/// Cards and their types. The calls take effect while the instance runs and may be made before it does.
@available(iOS 16.2, *)
extension Eyot {
    /// Registers a type and follows its cards. The server may start cards of the type if the system can (iOS 17.2).
    /// Running cards and cards that appear are followed.
    ///
    /// Call it early at every launch, because a launch by a push has only seconds. It combines ``register(_:name:)``
    /// and ``resume(_:name:)``.
    ///
    /// - Parameters:
    ///   - type: the attributes type.
    ///   - name: returns the name by which the backend addresses a card, as in ``resume(_:name:)``.
    public func follow<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, name: (@Sendable (Attributes) -> String?)? = nil
    ) {
        // On an older system there is nothing to report: its cards are followed all the same.
        if configuration.capabilities.startTokens { register(type) }
        resume(type, name: name)
    }

    /// Lets the server start cards of this type, if the system can (iOS 17.2).
    ///
    /// Call it at every launch, and when the app comes to the foreground. The phone's push-to-start token is read and
    /// followed. It is sent when it changes, repeated until the server has it, and sent again once a day.
    ///
    /// - Parameters:
    ///   - type: the attributes type.
    ///   - registration: a name for ``unregister(name:)``, 1 to 256 bytes. The server uses the type's own name, which
    ///     must equal Apple's `attributes-type`.
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

    /// Stops the server from starting cards of this type. A type that is not registered is reported, and nothing
    /// changes.
    public func unregister<Attributes: ActivityAttributes>(_ type: Attributes.Type) {
        guard hasActivityKit else { return }
        ask(for: .endStarts(type: Activity<Attributes>.typeName))
    }

    /// Stops the server from starting cards of the type that was registered under this name with ``register(_:name:)``,
    /// in this launch or in an earlier one. An unknown name is reported, and nothing changes.
    public func unregister(name: String) { ask(for: .endStartsNamed(name)) }

    /// Follows every card of this type: those that run, and those that appear. Call it early at every launch, because a
    /// launch by a push has only seconds.
    ///
    /// - Parameters:
    ///   - type: the attributes type.
    ///   - name: returns the name by which the backend addresses a card. If it is nil or returns nil, the name comes
    ///     from `EyotActivityAttributes` or from a vendor's member in the attributes.
    public func resume<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, name: (@Sendable (Attributes) -> String?)? = nil
    ) {
        resume(type, name: name, patience: 0)
    }

    /// Follows every card of this type, and reports a card without a name only after `patience` seconds.
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

    /// Follows the cards of this type that an earlier launch followed and that still run. New cards wait for
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

    /// Follows one card, for example one that the app has just requested. An older card of the same name is removed
    /// from the Lock Screen.
    ///
    /// - Parameters:
    ///   - activity: the card.
    ///   - name: the card's name; nil takes the name from the attributes, as in ``resume(_:name:)``.
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

    /// Stops following a card. It runs on and gets no more updates. ``observe(_:name:)`` follows it again.
    public func stopTracking<Attributes: ActivityAttributes>(_ activity: Activity<Attributes>) {
        ask(for: .stopTracking(instance: activity.id))
    }

    /// Stops following all cards of a type, including later ones. They run on and get no more updates, also after the
    /// next launch. ``resume(_:name:)`` follows new cards again, and ``observe(_:name:)`` a running one.
    public func stopTracking<Attributes: ActivityAttributes>(_ type: Attributes.Type) {
        guard hasActivityKit else { return }
        ask(for: .stopTrackingAll(type: Activity<Attributes>.typeName))
    }

    /// Stops following all cards of all types, as ``stopTracking(_:)-(Attributes.Type)`` does for one. No card is
    /// ended.
    public func stopTrackingAll() { ask(for: .stopTrackingAll(type: nil)) }

    /// Announces that the app is about to show another state on a card by itself. The server sends nothing to that card
    /// until something new is declared for it. A card that is not followed yet is remembered until it is.
    ///
    /// A push that is already on its way still arrives, because its state was declared before.
    ///
    /// If the card disappears within ten seconds, before it shows another state, the app has ended it and no person has
    /// removed it. To end a card, call ``willEndLocally(_:)`` or ``end(_:name:dismissalPolicy:)``.
    public func willChangeLocally<Attributes: ActivityAttributes>(_ activity: Activity<Attributes>) {
        ledger.announce(activity.id, isEnd: false)
        ask(for: .changedLocally(instance: activity.id))
    }

    /// Announces that the app is about to end a card by itself, with `Activity.end(_:dismissalPolicy:)` in the next ten
    /// seconds.
    ///
    /// Without it the SDK cannot tell an end with `.immediate` from a person who swipes the card away. The server
    /// starts no card of that name again then, until the next activity of the name.
    ///
    /// ```swift
    /// eyot.willEndLocally(activity)
    /// await activity.end(finalContent, dismissalPolicy: .immediate)
    /// ```
    public func willEndLocally<Attributes: ActivityAttributes>(_ activity: Activity<Attributes>) {
        ledger.announce(activity.id, isEnd: true)
    }

    /// Ends the followed card of this name at the app's request. It keeps the state that it shows. The server counts an
    /// end by the app, and not a card that a person removed.
    ///
    /// - Parameters:
    ///   - type: the attributes type.
    ///   - name: the card's name.
    ///   - dismissalPolicy: how long the card stays in view.
    /// - Returns: whether there was such a card.
    @discardableResult
    public func end<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, name: String, dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async -> Bool {
        guard hasActivityKit else { return false }
        return await endOne(nonisolatedType(type), name: name, dismissalPolicy)
    }

    private func endOne<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, name: String, _ policy: ActivityUIDismissalPolicy
    ) async -> Bool {
        // Runs after the app's earlier calls, so that a card which was just started has its name.
        let instance = await inTurn { [ledger] in await ledger.newestFollowing(of: name)?.card.instance } ?? nil
        guard let instance, let activity = Activity<Attributes>.running(instance) else { return false }
        willEndLocally(activity)
        await activity.end(nil, dismissalPolicy: policy)
        return true
    }

    /// Whether ActivityKit may be used. Without it the instance does nothing, and reports so when it runs.
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

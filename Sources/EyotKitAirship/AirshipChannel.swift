import EyotKit

/// This installation and its cards.
public struct AirshipChannel: Sendable {
    /// Follows a card under a name. An older card of that name is removed from the Lock Screen. A card that has ended,
    /// or is already followed under this name, is left alone.
    ///
    /// - Parameter name: the backend's name for the card, 1 to 256 bytes. A card has one name; a new one replaces it.
    @available(iOS 16.1, *)
    public func trackLiveActivity<T: ActivityAttributes>(_ activity: Activity<T>, name: String) {
        guard #available(iOS 16.2, *) else { return }
        let (instance, type) = (activity.id, nonisolatedType(T.self))
        Eyot.whenConfigured { $0.observe(type, instance: instance, name: name) }
    }

    /// Restores the cards that earlier launches tracked. Call it at every launch, once and early, and name every type.
    /// The backend may not start new cards of types that are left out. A second call in a launch is logged and ignored.
    ///
    /// - Parameter callback: runs on the main actor, which isolates an app's types in Xcode's project template.
    @available(iOS 16.1, *)
    public func restoreLiveActivityTracking(
        callback: @escaping @MainActor @Sendable (any LiveActivityRestorer) async -> Void
    ) {
        guard #available(iOS 16.2, *), Eyot.isFirst("restoreLiveActivityTracking") else { return }
        Eyot.whenConfigured { eyot in
            eyot.perform {
                let restorer = Restorer(eyot: eyot)
                await callback(restorer)
                await restorer.clearUntracked()
            }
        }
    }

    /// The registration status of the card with this name, and every change. If another card gets the name, the
    /// sequence continues with that card.
    @available(iOS 16.1, *)
    public func liveActivityRegistrationStatusUpdates(name: String) -> LiveActivityRegistrationStatusUpdates {
        LiveActivityRegistrationStatusUpdates { $0.statusUpdates(of: name) }
    }

    /// How far this very card has come, and every change.
    @available(iOS 16.1, *)
    public func liveActivityRegistrationStatusUpdates<T: ActivityAttributes>(
        activity: Activity<T>
    ) -> LiveActivityRegistrationStatusUpdates {
        let instance = activity.id
        return LiveActivityRegistrationStatusUpdates { $0.statusUpdates(ofInstance: instance) }
    }
}

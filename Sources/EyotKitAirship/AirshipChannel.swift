import EyotKit

/// This installation and its cards.
public struct AirshipChannel: Sendable {
    /// Follows a card under a name, in the place of an older card of that name, which is taken off the Lock Screen. A
    /// card that has ended is left alone, and so is one that is followed under this name already.
    ///
    /// - Parameter name: the name by which the backend speaks of it, 1 to 256 bytes. A card has one; another takes its
    ///   place.
    @available(iOS 16.1, *)
    public func trackLiveActivity<T: ActivityAttributes>(_ activity: Activity<T>, name: String) {
        guard #available(iOS 16.2, *) else { return }
        let (instance, type) = (activity.id, nonisolatedType(T.self))
        Eyot.whenConfigured { $0.observe(type, instance: instance, name: name) }
    }

    /// Takes up again what earlier launches tracked. Call it at every launch, once and early, and name every type: the
    /// backend may start no more cards of types that are left out. A second call in a launch is logged and ignored.
    ///
    /// - Parameter callback: runs on the main actor, where an app's types are by Xcode's project template.
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

    /// How far the card of this name has come, and every change. Where another card takes the name, it goes on with
    /// that one.
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

@_exported import EyotKit

/// The calls that apps make to Netmera's SDK, over EyotKit.
///
/// An app calls `Eyot.configure(…)` once, instead of `Netmera.initialize()`. Earlier calls are kept until then. They
/// are declared for the versions of iOS that Netmera declares. EyotKit begins with iOS 16.2, so they have no effect on
/// 16.1.
public enum Netmera {
    /// Lets the backend start cards of this type from now on. Call it at every launch, early.
    ///
    /// - Parameter name: the type's name for ``unregister(name:)``, 1 to 256 bytes. Calls to the server use the type's
    ///   Swift name.
    @available(iOS 17.2, *)
    public static func register<T: ActivityAttributes & NetmeraLiveActivityAttributes>(
        forType type: Activity<T>.Type, name: String
    ) {
        Eyot.whenConfigured { $0.register(T.self, name: name) }
    }

    /// The backend may no longer start cards of the type that was registered under this name, in this launch or in an
    /// earlier one. A name that nothing is registered under is logged, and nothing happens.
    @available(iOS 17.2, *)
    public static func unregister(name: String) {
        Eyot.whenConfigured { $0.unregister(name: name) }
    }

    /// Follows a card that the app has requested with `pushType: .token`. One without a `netmeraGroupId` is logged and
    /// not followed.
    @available(iOS 16.1, *)
    public static func observeActivity<T: ActivityAttributes & NetmeraLiveActivityAttributes>(_ activity: Activity<T>) {
        guard #available(iOS 16.2, *) else { return }
        let (instance, group) = (activity.id, activity.attributes.netmeraGroupId ?? "")
        Eyot.whenConfigured { $0.observe(T.self, instance: instance, name: group.isEmpty ? nil : group) }
    }

    /// Follows all cards of this type, present and future, regardless of their origin. Call it at every launch, early.
    @available(iOS 16.1, *)
    public static func resumeObservingActivities<T: ActivityAttributes & NetmeraLiveActivityAttributes>(
        ofType type: Activity<T>.Type
    ) {
        guard #available(iOS 16.2, *) else { return }
        Eyot.whenConfigured { $0.resume(T.self) }
    }
}

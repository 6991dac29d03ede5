import EyotKit

/// Takes up types again, one after the other.
@available(iOS 16.1, *)
public protocol LiveActivityRestorer: Actor {
    /// Follows the running cards of this type that an earlier launch tracked, and lets the backend start new ones if
    /// the system can (iOS 17.2). New cards are followed after they are tracked, see
    /// ``AirshipChannel/trackLiveActivity(_:name:)``.
    func restore<T: ActivityAttributes>(forType: Activity<T>.Type) async
}

/// Over EyotKit.
@available(iOS 16.1, *)
actor Restorer: LiveActivityRestorer {
    private let eyot: Eyot
    private var types: Set<String> = []

    init(eyot: Eyot) { self.eyot = eyot }

    func restore<T: ActivityAttributes>(forType: Activity<T>.Type) {
        restore(forType, registration: nil, name: nil)
    }

    /// Does the same under a name of the app's own. If `name` returns a name for each card, new cards are followed,
    /// too.
    func restore<T: ActivityAttributes>(
        _ type: Activity<T>.Type, registration: String?, name: (@Sendable (T) -> String)?
    ) {
        guard #available(iOS 16.2, *) else { return }
        guard eyot.configuration.capabilities.activities else { return }
        types.insert(Activity<T>.typeName)
        // A system without start tokens is no error: types are restored for their cards, too.
        if eyot.configuration.capabilities.startTokens { eyot.register(T.self, name: registration) }
        if let name { eyot.resume(T.self, name: name) } else { eyot.resumeKnown(T.self) }
    }

    /// Types that were not restored cannot be started any more.
    func clearUntracked() { eyot.endStarts(except: types) }
}

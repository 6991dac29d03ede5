import EyotKit

@available(iOS 16.1, *)
extension Activity {
    /// Passes every running card of this type to a block, now and when a new one appears. A push may have started it.
    /// Track cards here. A card may come more than once; tracking it again does no harm.
    ///
    /// - Parameter activityBlock: runs on the main actor, which isolates an app's types in Xcode's project template.
    public class func airshipWatchActivities(
        activityBlock: @escaping @MainActor @Sendable (Activity<Attributes>) -> Void
    ) {
        guard #available(iOS 16.2, *) else { return }
        watch(nonisolatedType(Attributes.self)) { onMain($0, activityBlock) }
    }
}

@available(iOS 16.2, *)
private func watch<Attributes: ActivityAttributes & SendableMetatype>(
    _ type: Attributes.Type, _ block: @escaping @MainActor @Sendable (Any) -> Void
) {
    Eyot.whenConfigured { eyot in
        eyot.perform { @MainActor in
            // The updates yield those that run, too, but have been seen to miss some in a slow launch.
            for activity in Activity<Attributes>.running { block(activity) }
            for await activity in Activity<Attributes>.activityUpdates where activity.isRunning { block(activity) }
        }
    }
}

@MainActor
private func onMain<Value>(_ value: Any, _ block: @MainActor @Sendable (Value) -> Void) {
    if let value = value as? Value { block(value) }
}

import EyotContract
import EyotKit

extension Braze {
    /// Live Activities.
    ///
    /// The tasks that its calls return need not be kept. Cancelling one ends the work that its call began.
    public final class LiveActivities: Sendable {
        let link: EyotLink
        /// Errors that this module finds itself, for the subscribers.
        let ownErrors = EventHub<ErrorEvent>()

        init(_ link: EyotLink) { self.link = link }

        /// Follows a card that the app has requested with `pushType: .token`.
        ///
        /// - Parameter pushTokenTag: the backend's name for it, 1 to 256 bytes.
        /// - Returns: a task that ends with the card; cancelling it stops following the card. Nil if nothing is
        ///   followed because the tag or the card is invalid; ``subscribeToErrors(_:)`` reports the reason.
        @available(iOS 16.1, *)
        @discardableResult
        public func launchActivity<A: ActivityAttributes>(
            pushTokenTag: String, activity: Activity<A>, fileID: StaticString = #fileID, line: UInt = #line
        ) -> Task<Void, Never>? {
            guard #available(iOS 16.2, *), link.isEnabled.withLock({ $0 }) else { return nil }
            let (instance, type) = (activity.id, Activity<A>.typeName)
            guard DeviceLimits.isIdentifier(pushTokenTag) else {
                ownErrors.publish(.invalidPushTokenTag(activityId: instance, activityType: type, tag: pushTokenTag))
                return nil
            }
            guard activity.activityState != .ended, activity.activityState != .dismissed else {
                ownErrors.publish(
                    .activityNotFound(activityId: instance, activityType: type, pushTokenTag: pushTokenTag))
                return nil
            }
            let attributes = nonisolatedType(A.self)
            link.with { $0.observe(attributes, instance: instance, name: pushTokenTag) }
            let link = link
            return Task {
                guard let eyot = await link.awaited() else { return }
                await eyot.untilForgotten(instance)
                if Task.isCancelled { eyot.stopTracking(instance: instance) }
            }
        }

        /// Follows the running cards of this type that an earlier launch followed or a push started. From now on it
        /// also follows every card that a push starts. Call it at every launch, early.
        @available(iOS 16.1, *)
        public func resumeActivities<A: ActivityAttributes>(ofType type: Activity<A>.Type) {
            guard #available(iOS 16.2, *) else { return }
            // A card that the app has requested gets its tag after it was seen.
            let attributes = nonisolatedType(A.self)
            link.with { $0.resume(attributes, patience: TokenAbsence.patience) }
        }

        /// Lets the backend start cards of this type from now on, and follows them. Call it at every launch, early.
        ///
        /// - Parameter name: the type's name for ``unregisterPushToStart(types:)``, 1 to 256 bytes. Calls to the server
        ///   use the type's Swift name.
        /// - Returns: a task without an end. Cancelling it stops following the token in this launch, and the server
        ///   keeps its data.
        @available(iOS 17.2, *)
        @discardableResult
        public func registerPushToStart<A: ActivityAttributes & BrazeLiveActivityAttributes>(
            forType type: Activity<A>.Type, name: String
        ) -> Task<Void, Never> {
            link.with { eyot in
                eyot.register(A.self, name: name)
                eyot.resume(A.self, patience: TokenAbsence.patience)
            }
            let link = link
            return Task {
                guard let eyot = await link.awaited() else { return }
                await link.untilCancelled()
                guard eyot.configuration.capabilities.activities else { return }
                eyot.pauseStarts(of: Activity<A>.typeName)
            }
        }
    }
}

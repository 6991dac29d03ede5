import EyotKit

@available(iOS 16.1, *)
extension Activity where Attributes: SendableMetatype {
    /// Hands every card of this type that runs to a block, now and whenever one appears, which a push may have started:
    /// the place to track it. A card may come more than once; to track it again does no harm.
    public class func airshipWatchActivities(activityBlock: @escaping @Sendable (Activity<Attributes>) -> Void) {
        guard #available(iOS 16.2, *) else { return }
        Eyot.whenConfigured { eyot in
            eyot.perform {
                // The updates yield those that run, too, but have been seen to miss some in a slow launch.
                for activity in Activity<Attributes>.running { activityBlock(activity) }
                for await activity in Activity<Attributes>.activityUpdates where activity.isRunning {
                    activityBlock(activity)
                }
            }
        }
    }
}

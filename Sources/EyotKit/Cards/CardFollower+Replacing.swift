import EyotContract

/// Keeps one card in view for each name.
@available(iOS 16.2, *)
extension CardFollower {
    /// Removes cards of this name that have ended and are still shown. An end leaves a card in view for up to four
    /// hours. Apple does not document a second end with another dismissal, but public apps rely on it. If the system
    /// ignores it, the older card disappears by itself.
    func takeEndedAway() async {
        for activity in Activity<Attributes>.activities
        where activity.id != instance && CardStage(activity.activityState) == .ended {
            let known = await ledger.nameOfEnded(activity.id)
            guard (known ?? naming.name(of: activity.attributes)) == name else { continue }
            await activity.end(nil, dismissalPolicy: .immediate)
        }
    }
}

import EyotContract

/// One name, one card in view.
@available(iOS 16.2, *)
extension CardFollower {
    /// Takes away the cards that have ended under this card's name and are still shown: an end leaves a card in view
    /// for up to four hours. A second end with another dismissal is not documented by Apple; public apps rely on it.
    /// Where the system passes over it, the older card goes by itself.
    func takeEndedAway() async {
        for activity in Activity<Attributes>.activities
        where activity.id != instance && CardStage(activity.activityState) == .ended {
            let known = await ledger.nameOfEnded(activity.id)
            guard (known ?? naming.name(of: activity.attributes)) == name else { continue }
            await activity.end(nil, dismissalPolicy: .immediate)
        }
    }
}

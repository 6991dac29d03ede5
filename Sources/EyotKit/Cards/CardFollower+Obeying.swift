import EyotContract
import Foundation

/// Carries out the commands of the server and the app on the card.
@available(iOS 16.2, *)
extension CardFollower {
    /// Carries out commands until no more can come.
    func obey(_ commands: AsyncStream<CardCommand>) async {
        var shown = ShownState()
        for await command in commands {
            guard let activity = Activity<Attributes>.running(instance) else { return }
            switch command {
            case .removeNow:
                if await end(activity, showing: nil, .immediate, at: nil) { return }
                await ledger.isStillToGo(instance)
            case .show(let state, _) where state.ends:
                let content = await content(of: state)
                if await end(activity, showing: content, dismissal(of: state), at: state.time) { return }
                await ledger.goesOn(instance)
            case .show(let state, let history):
                guard shown.isOlder(than: state, in: history), await show(state, on: activity) else { continue }
                shown = ShownState(version: state.version, timestamp: state.timestamp, history: history)
            }
        }
    }

    /// Shows a state with the server's time. With the phone's own time, a clock that is ahead would hide the next push.
    /// Before iOS 17.2 the system takes no time, and the card waits for the next push.
    private func show(_ state: CardState, on activity: Activity<Attributes>) async -> Bool {
        guard capabilities.timestampedUpdates, #available(iOS 17.2, *), let content = await content(of: state) else {
            return false
        }
        // A card that already shows the state, for example from the push that started it, needs no update.
        let isShown =
            activity.content.state == content.state
            && (content.staleDate == nil || content.staleDate == activity.content.staleDate)
        if !isShown { await activity.update(content, alertConfiguration: nil, timestamp: state.time) }
        await ledger.say(.stateApplied(name: name, version: state.version))
        return true
    }

    /// Ends the card and reports the end. An end hides no later state, so an end that the system ignored is tried
    /// again. The second try uses the phone's own time, and the third a time well ahead of it.
    ///
    /// - Returns: whether the card has ended. A system may ignore an end that seems older than the card's content.
    private func end(
        _ activity: Activity<Attributes>, showing content: ActivityContent<Attributes.ContentState>?,
        _ policy: ActivityUIDismissalPolicy, at time: Date?
    ) async -> Bool {
        await ledger.willEnd(instance)
        if let time, capabilities.timestampedUpdates, #available(iOS 17.2, *) {
            await activity.end(content, dismissalPolicy: policy, timestamp: time)
        }
        if runs(activity) { await activity.end(content, dismissalPolicy: policy) }
        if runs(activity), capabilities.timestampedUpdates, #available(iOS 17.2, *) {
            let ahead = ledger.clock.now() + CardStage.endLead
            await activity.end(content, dismissalPolicy: policy, timestamp: ahead)
        }
        guard !runs(activity) else { return false }
        await ledger.didEnd(instance)
        return true
    }

    private func runs(_ activity: Activity<Attributes>) -> Bool {
        CardStage(activity.activityState)?.isRunning ?? true
    }

    /// Returns the content for ActivityKit; nil if the server sent no state, or one that does not decode.
    private func content(of state: CardState) async -> ActivityContent<Attributes.ContentState>? {
        guard let json = state.contentState else { return nil }
        do {
            return ActivityContent(
                state: try JSONDecoder().decode(Attributes.ContentState.self, from: Data(json.utf8)),
                staleDate: state.staleDate.map { Date(timeIntervalSince1970: Double($0)) },
                relevanceScore: state.relevanceScore ?? 0)
        } catch {
            let reason = SchemaMismatch.words(for: error, decoding: Attributes.ContentState.self, from: json)
            await ledger.report(
                .stateDidNotDecode(name: name, version: state.version, reason: String(reason.prefix(300))))
            return nil
        }
    }

    /// Returns the dismissal policy. A date that is past by the server's time means at once, as in a push.
    private func dismissal(of state: CardState) -> ActivityUIDismissalPolicy {
        guard let date = state.dismissalDate else { return .default }
        return Double(date) <= state.timestamp ? .immediate : .after(Date(timeIntervalSince1970: Double(date)))
    }
}

extension CardState {
    /// The server's time of the state.
    fileprivate var time: Date { Date(timeIntervalSince1970: timestamp) }
}

import EyotContract
import Foundation

/// A card that begins later. It is not in view yet, and the system starts it even if the app does not run.
public struct ScheduledCard: Sendable, Hashable {
    /// ActivityKit's id.
    public let instance: String
    /// The activity's name; nil if the card has none.
    public let name: String?
    /// The moment at which it begins. Nil unless ``Eyot/start(_:name:attributes:later:)`` or
    /// ``Eyot/moveScheduled(_:name:to:)`` scheduled it, because ActivityKit does not say.
    public let date: Date?
}

/// Cards that begin later, from iOS 26.
@available(iOS 16.2, *)
extension Eyot {
    /// Returns the cards of a type that have not begun yet.
    public func scheduledCards<Attributes: ActivityAttributes>(of type: Attributes.Type) async -> [ScheduledCard] {
        guard configuration.capabilities.activities, configuration.capabilities.scheduledStarts else { return [] }
        return await pending(nonisolatedType(type))
    }

    /// Cancels the cards of this name that have not begun yet. The server sees an end by the app.
    ///
    /// - Returns: whether there was such a card.
    @discardableResult
    public func cancelScheduled<Attributes: ActivityAttributes>(_ type: Attributes.Type, name: String) async -> Bool {
        let cards = await scheduledCards(of: type).filter { $0.name == name }
        for card in cards { await end(card.instance, of: nonisolatedType(type)) }
        return !cards.isEmpty
    }

    /// Moves the card of this name, which has not begun yet, to another moment. ActivityKit moves no card, so a new one
    /// replaces it with the same attributes and state. The app must be in the foreground.
    ///
    /// - Returns: ActivityKit's id of the new card.
    /// - Throws: ``CardStartFailure/notScheduled(name:)``, or an error of ActivityKit. The old card stays then.
    @discardableResult
    public func moveScheduled<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, name: String, to later: LaterStart
    ) async throws -> String {
        guard let old = await scheduledCards(of: type).first(where: { $0.name == name }),
            let activity = Activity<Attributes>.running(old.instance), #available(iOS 26.0, *)
        else { throw CardStartFailure.notScheduled(name: name) }
        let moved = try Activity.request(
            attributes: activity.attributes, content: activity.content, pushType: .token, style: .standard,
            alertConfiguration: later.alert, start: later.date
        ).id
        // The new card takes the name, and the older card of that name is removed.
        observe(type, instance: moved, name: name)
        remember(moved, beginsAt: later.date)
        await end(old.instance, of: nonisolatedType(type))
        return moved
    }

    /// Records when a card begins, after the orders before it.
    func remember(_ instance: String, beginsAt date: Date) {
        ask(
            for: .begin { [ledger] in
                await ledger.willBegin(instance, at: date)
                return nil
            })
    }

    private func pending<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type
    ) async -> [ScheduledCard] {
        // Runs after the app's earlier calls, so that a card which was just started has its name.
        await inTurn {}
        let naming = CardNaming<Attributes>(name: nil)
        var cards: [ScheduledCard] = []
        for activity in Activity<Attributes>.activities where CardStage(activity.activityState) == .pending {
            let known = await ledger.state.cards[activity.id]
            cards.append(
                ScheduledCard(
                    instance: activity.id, name: known?.name ?? naming.name(of: activity.attributes),
                    date: known?.begins))
        }
        return cards
    }

    private func end<Attributes: ActivityAttributes & SendableMetatype>(
        _ instance: String, of type: Attributes.Type
    ) async {
        if await ledger.takeAway(instance) { return await untilForgotten(instance) }
        await Activity<Attributes>.running(instance)?.end(nil, dismissalPolicy: .immediate)
    }
}

extension InstallationLedger {
    /// Records when a card begins.
    func willBegin(_ instance: String, at date: Date) {
        guard state.cards[instance] != nil else { return }
        followed[instance]?.card.begins = date
        state.cards[instance]?.begins = date
        save()
    }

    /// Has the task that follows a card remove it.
    ///
    /// - Returns: whether there is such a task.
    func takeAway(_ instance: String) -> Bool {
        guard let following = followed[instance] else { return false }
        following.commands.yield(.removeNow)
        return true
    }
}

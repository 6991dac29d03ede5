import EyotContract
import EyotDomain

/// The state for a card that an app is about to start by itself, before the server has a report of it.
package struct FindCardState: UseCase {
    package let transaction: Transaction
    private let opened: Set<ActivityID>

    /// - Parameter opened: The activities that the phone has shown the join secret of.
    package init(_ transaction: Transaction, opened: Set<ActivityID> = []) {
        self.transaction = transaction
        self.opened = opened
    }

    /// Returns the common state, because an unreported card is in no scope.
    ///
    /// - Throws: `activityUnknown` if nothing is declared that this phone may know, `activityEnded`, `activityHalted`,
    ///   or `typeMismatch`.
    package func callAsFunction(_ question: CardQuestion, for device: Device) throws -> CardAdvice {
        let name = question.name
        guard let activity = try ledger.newestActivity(named: name, in: device.app),
            try JoinPolicy(ledger: ledger, opened: opened)(activity, device)
        else {
            throw EyotError.activityUnknown(name)
        }
        guard !activity.isOver(at: now) else { throw EyotError.activityEnded(name) }
        guard try ledger.app(device.app)?.halt(of: activity) == nil else {
            throw EyotError(.activityHalted, "activity \(name) is halted")
        }
        if let type = activity.type, type != question.type {
            throw EyotError(.typeMismatch, "activity \(name) is of type \(type)", field: "type")
        }
        guard let declaration = try ledger.declaration(activity.common.state, of: activity.id),
            let state = declaration.content.state
        else { throw EyotError.activityUnknown(name) }
        return CardAdvice(
            version: declaration.version, contentState: state, attributes: declaration.attributes,
            staleDate: declaration.content.staleDate, relevanceScore: declaration.content.relevanceScore)
    }
}

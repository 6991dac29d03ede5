import EyotContract
import EyotDomain

/// What a card shows that an app starts by itself, before the server has heard of it.
package struct AdviseCard {
    let ledger: any Ledger

    package init(ledger: any Ledger) { self.ledger = ledger }

    /// What is declared for everyone: a card that nobody has heard of is in no scope.
    ///
    /// - Throws: `activityUnknown` where nothing is declared that this phone may know of, `activityEnded`, `activityHalted`, or `typeMismatch`.
    package func callAsFunction(_ question: CardQuestion, for device: Device) throws -> CardAdvice {
        let name = question.name
        guard let activity = try ledger.newestActivity(named: name, in: device.app),
            try MayJoin(ledger: ledger)(activity, device)
        else {
            throw EyotError.activityUnknown(name)
        }
        guard !activity.isEnded else { throw EyotError.activityEnded(name) }
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

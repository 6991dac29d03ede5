import EyotCommands
import EyotContract

extension EventView {
    /// The token of an event, or its fingerprint if the caller may not see it or the device has another one now; nil
    /// if the event is about no token.
    var shownToken: JSONValue? { (token?.hex ?? event.fact.token).map(JSONValue.string) }

    /// The id of the event's lines. Pushes that Apple accepted for the cards of one page share the id of the entry.
    var lineID: String {
        event.fact.kind == .pushAccepted ? "\(event.id)-\(event.ordinal ?? 0)" : String(event.id)
    }
}

import EyotCommands
import EyotContract

extension EventView {
    /// The token of an event, or its fingerprint if the caller may not see it or the device has another one now; nil
    /// if the event is about no token.
    var shownToken: JSONValue? { (token?.hex ?? event.fact.token).map(JSONValue.string) }
}

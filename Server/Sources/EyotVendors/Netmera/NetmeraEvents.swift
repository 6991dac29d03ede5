import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Netmera's three events of Live Activities, by their codes.
///
/// The codes, names and triggers are documented. The members are not, so they have the names of Netmera's other calls.
enum NetmeraEvents {
    static let form = VendorEvents(names: names) { view, details in
        guard let event = event(view.event.fact) else { return [] }
        return [VendorEvents.Line(event.code, json(event, view, details))]
    }

    private static let names = Dictionary(grouping: codes, by: \.value.code).map { code, events in
        VendorEvents.Name(
            code, alias: events[0].value.name,
            Set(events.map(\.key)).union(code == Self.code ? [.pushAccepted] : []))
    }.sorted { $0.name < $1.name }

    /// Of what Apple accepted, only ends that were declared are events of Netmera's. Other ends follow from an event of
    /// the card.
    private static func event(_ fact: Fact) -> Named? {
        if let event = codes[fact.kind] { return event }
        let isEnd = fact.kind == .pushAccepted && fact.reason == LiveActivityEvent.end.rawValue
        return isEnd && fact.version > 0 ? close(by: "app") : nil
    }

    private struct Named {
        var code: String
        var name: String
        /// The side that closed the card: the user, the app or the system; nil for other events.
        var closedBy: String?
    }

    private static let start = Named(code: "n:lst", name: "LiveActivityStartToken")
    private static let update = Named(code: "n:lut", name: "LiveActivityUpdateToken")

    /// The code of a card that is closed.
    private static let code = "n:lac"

    private static func close(by side: String) -> Named {
        Named(code: code, name: "LiveActivityClose", closedBy: side)
    }

    private static let codes: [EventKind: Named] = [
        .startTokenSet: start, .startTokenReplaced: start, .updateTokenSet: update, .updateTokenReplaced: update,
        .cardDismissed: close(by: "user"), .cardEnded: close(by: "app or system"),
        .cardReplaced: close(by: "app"), .cardWithdrawn: close(by: "app"),
        // The phone only says that the card is gone.
        .cardUnlisted: close(by: "unknown"),
    ]

    private static func json(_ event: Named, _ view: EventView, _ details: EventDetails) -> JSONValue {
        var object = JSONObject([
            ("id", .string(view.lineID)), ("eventCode", .string(event.code)),
            ("eventName", .string(event.name)), ("createDate", .integer(Int(view.event.at.microseconds / 1_000))),
        ])
        object["extId"] = view.user.map(JSONValue.string)
        object["deviceId"] = details.installation.map(JSONValue.string)
        object["type"] = details.type.map(JSONValue.string)
        object["groupId"] = view.activity.map { .string($0.name) }
        object["token"] = view.shownToken
        object["closedBy"] = event.closedBy.map(JSONValue.string)
        return .object(object)
    }
}

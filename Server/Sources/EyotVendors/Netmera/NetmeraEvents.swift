import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Netmera's three events of Live Activities, by their codes.
///
/// The codes, names and triggers are documented. The members are not, so they have the names of Netmera's other calls.
enum NetmeraEvents {
    static let form = VendorEvents(kinds: Set(codes.keys)) { view, details in
        guard let event = codes[view.event.fact.kind] else { return [] }
        return [VendorEvents.Line(event.code, json(event, view, details))]
    }

    private struct Named {
        var code: String
        var name: String
        /// The side that closed the card: the user, the app or the system; nil for other events.
        var closedBy: String?
    }

    private static let start = Named(code: "n:lst", name: "LiveActivityStartToken")
    private static let update = Named(code: "n:lut", name: "LiveActivityUpdateToken")

    private static func close(by side: String) -> Named {
        Named(code: "n:lac", name: "LiveActivityClose", closedBy: side)
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
            ("id", .string(String(view.event.id))), ("eventCode", .string(event.code)),
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

import APNSWire
import EyotContract
import PhoneSimulator

/// A test's command to the phone.
enum PhoneOrder {
    case push(LiveActivityEvent, card: String, state: JSONValue?)
    case start(type: String, attributes: JSONValue, state: JSONValue)
    case dismiss(card: String)
    case moveToBackground
    case moveToForeground
    case allow(Bool)

    init(_ method: String, _ params: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(params, at: "params")
        switch method {
        case "phone.push":
            let event = LiveActivityEvent(rawValue: try fields.required("event", fields.string("event")))
            self = .push(
                try fields.required("event", event), card: try fields.required("card", fields.string("card")),
                state: fields.value("state"))
        case "phone.start":
            self = .start(
                type: try fields.required("type", fields.string("type")),
                attributes: try fields.required("attributes", fields.value("attributes")),
                state: try fields.required("state", fields.value("state")))
        case "phone.dismiss": self = .dismiss(card: try fields.required("card", fields.string("card")))
        case "phone.background": self = .moveToBackground
        case "phone.foreground": self = .moveToForeground
        case "phone.allow": self = .allow(try fields.required("isOn", fields.bool("isOn")))
        default: throw JSONFieldError(path: "method", .invalid("is no order to the phone"))
        }
        try fields.finish()
    }

    /// - Returns: the effect of a push, as a word.
    func carryOut(on app: BridgedPhone) throws -> JSONValue {
        switch self {
        case .push(let event, let card, let state):
            return .string(try app.push(event, to: card, state: state).word)
        case .start(let type, let attributes, let state):
            return .string(try app.pushStart(type, attributes: attributes, state: state).word)
        case .dismiss(let card): app.phone.dismiss(card: card)
        case .moveToBackground: app.phone.moveToBackground()
        case .moveToForeground: app.phone.launch()
        case .allow(let isOn): app.phone.changeSettings { $0.activitiesEnabled = isOn }
        }
        return .null
    }
}

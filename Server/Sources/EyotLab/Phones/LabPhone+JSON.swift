import EyotContract
import PhoneSimulator

extension LabPhone {
    /// The phone as the control API answers it: ``PhoneSimulator/PhoneState/json`` with the user and the cards' names.
    public var json: JSONValue {
        let state = phone.state
        var object = JSONObject([("id", .string(id)), ("user", user.map(JSONValue.string) ?? .null)])
        object["tags"] = .array(tags.map(JSONValue.string))
        object["deviceID"] = deviceID.map(JSONValue.string) ?? .null
        object["appVersion"] = .string(build.version)
        let plain = state.json.object ?? JSONObject()
        for member in plain.members { object[member.name] = member.value }
        object["cards"] = .array(
            zip(state.cards, plain["cards"]?.array ?? []).map { card, json in
                var named = JSONObject([("id", .string(card.id))])
                named["name"] = name(of: card).map(JSONValue.string) ?? .null
                for member in json.object?.members ?? [] { named[member.name] = member.value }
                return .object(named)
            })
        return .object(object)
    }
}

import EyotContract

extension JSONValue {
    /// Whether an audience names a user.
    package func names(user: String) -> Bool { withoutUser(user) != self }

    /// An audience without a user. A selector for that user alone then matches no device.
    package func withoutUser(_ user: String) -> JSONValue {
        if let array { return .array(array.map { $0.withoutUser(user) }) }
        guard let object, let member = object.members.first, object.members.count == 1 else { return self }
        guard member.name == "user" else {
            return .object(JSONObject([(member.name, member.value.withoutUser(user))]))
        }
        let left = (member.value.array ?? [member.value]).filter { $0.string != user }
        guard left.count != (member.value.array?.count ?? 1) else { return self }
        return left.isEmpty ? ["device": "0"] : ["user": .array(left)]
    }
}

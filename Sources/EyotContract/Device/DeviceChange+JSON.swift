extension DeviceChangeBatch {
    /// Reads a request's body.
    ///
    /// - Throws: ``JSONFieldError`` that names the member.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        epoch = try fields.required("epoch", fields.integer("epoch"))
        let elements = try fields.required("changes", fields.array("changes"))
        guard elements.count <= DeviceLimits.changesPerBatch else {
            throw fields.invalid("changes", "must have at most \(DeviceLimits.changesPerBatch) elements")
        }
        changes = []
        for (index, element) in elements.enumerated() {
            let change = try DeviceChange(json: element, at: "changes[\(index)]")
            guard change.sequence > changes.last?.sequence ?? 0 else {
                throw JSONFieldError(path: "changes[\(index)].sequence", .invalid("must rise from 1"))
            }
            changes.append(change)
        }
        joinSecrets = try fields.joinSecrets("joinSecrets")
        confirmed = try fields.integer("confirmed")
        if let confirmed, confirmed < 0 { throw fields.invalid("confirmed", "must not be negative") }
        try fields.finish()
    }

    /// The batch as a request's body.
    public var json: JSONValue {
        var object = JSONObject([("epoch", .integer(epoch)), ("changes", .array(changes.map(\.json)))])
        if !joinSecrets.isEmpty {
            let secrets = joinSecrets.sorted { $0.key < $1.key }.map { ($0, JSONValue.string($1.text)) }
            object["joinSecrets"] = .object(JSONObject(secrets))
        }
        object["confirmed"] = confirmed.map(JSONValue.integer)
        return .object(object)
    }
}

extension DeviceChange {
    /// The values of `kind`.
    private enum Kind: String {
        case setStartToken, removeStartToken, cardSeen, setUpdateToken, stopTracking, cardEvent, running, identify
        case logout, permissions, profile
    }

    /// Reads one change.
    ///
    /// - Parameter path: the place of the change in the body, for errors.
    package init(json: JSONValue, at path: String) throws(JSONFieldError) {
        var fields = try JSONFields(json, at: path)
        sequence = try fields.required("sequence", fields.integer("sequence"))
        guard let kind = Kind(rawValue: try fields.required("kind", fields.string("kind"))) else {
            throw fields.invalid("kind", "is not a kind of change")
        }
        action = try Self.action(kind, &fields)
        try fields.finish()
    }

    private static func action(_ kind: Kind, _ fields: inout JSONFields) throws(JSONFieldError) -> Action {
        switch kind {
        case .setStartToken: .setStartToken(type: try fields.identifier("type"), token: try fields.token("token"))
        case .removeStartToken: .removeStartToken(type: try fields.identifier("type"))
        case .cardSeen: .cardSeen(try Card(fields: &fields))
        case .setUpdateToken: .setUpdateToken(try Card(fields: &fields), token: try fields.token("token"))
        case .stopTracking: .stopTracking(try Card(fields: &fields))
        case .cardEvent:
            .cardEvent(
                try Card(fields: &fields), try fields.cardEvent("event"), digest: try fields.stateDigest("digest"))
        case .running: .running(type: try fields.identifier("type"), instances: try fields.instances("instances"))
        case .identify:
            .identify(user: try fields.identifier("user"), signature: try fields.identitySignature("signature"))
        case .logout: .logout
        case .permissions: .permissions(try fields.permissions("permissions"))
        case .profile: .profile(try DeviceProfile(fields: &fields))
        }
    }

    /// The change as it stands in a batch and in the SDK's store.
    public var json: JSONValue {
        var object = JSONObject([("sequence", .integer(sequence))])
        func fill(_ kind: Kind, _ card: Card? = nil, _ members: [(String, JSONValue)] = []) {
            object["kind"] = .string(kind.rawValue)
            for (name, value) in (card?.members ?? []) + members { object[name] = value }
        }
        switch action {
        case .setStartToken(let type, let token):
            fill(.setStartToken, nil, [("type", .string(type)), ("token", .string(token.hex))])
        case .removeStartToken(let type): fill(.removeStartToken, nil, [("type", .string(type))])
        case .cardSeen(let card): fill(.cardSeen, card)
        case .setUpdateToken(let card, let token): fill(.setUpdateToken, card, [("token", .string(token.hex))])
        case .stopTracking(let card): fill(.stopTracking, card)
        case .cardEvent(let card, let event, let digest):
            fill(.cardEvent, card, [("event", .string(event.rawValue))])
            object["digest"] = digest.map { .string($0.text) }
        case .running(let type, let instances):
            fill(.running, nil, [("type", .string(type)), ("instances", .array(instances.map(JSONValue.string)))])
        case .identify(let user, let signature):
            fill(.identify, nil, [("user", .string(user))])
            object["signature"] = signature.map { .string($0.text) }
        case .logout: fill(.logout)
        case .permissions(let permissions): fill(.permissions, nil, [("permissions", permissions.json)])
        case .profile(let profile): fill(.profile, nil, profile.members)
        }
        return .object(object)
    }
}

extension Card {
    init(fields: inout JSONFields) throws(JSONFieldError) {
        instance = try fields.identifier("instance")
        name = try fields.identifier("name")
        type = try fields.identifier("type")
    }

    fileprivate var members: [(String, JSONValue)] {
        [("instance", .string(instance)), ("name", .string(name)), ("type", .string(type))]
    }
}

extension JSONFields {
    fileprivate mutating func token(_ name: String) throws(JSONFieldError) -> PushToken {
        guard let token = PushToken(hex: try required(name, string(name))) else {
            throw invalid(name, "must be 1 to \(PushToken.maximumLength) bytes in hexadecimal digits")
        }
        return token
    }

    fileprivate mutating func cardEvent(_ name: String) throws(JSONFieldError) -> CardEvent {
        guard let event = CardEvent(rawValue: try required(name, string(name))) else {
            throw invalid(name, "must be one of \(CardEvent.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return event
    }

    fileprivate mutating func stateDigest(_ name: String) throws(JSONFieldError) -> StateDigest? {
        guard let text = try string(name) else { return nil }
        guard let digest = StateDigest(text: text) else { throw invalid(name, "must be 16 hexadecimal digits") }
        return digest
    }

    fileprivate mutating func instances(_ name: String) throws(JSONFieldError) -> [String] {
        let instances = try required(name, strings(name))
        guard instances.count <= DeviceLimits.cardsPerReport else {
            throw invalid(name, "must have at most \(DeviceLimits.cardsPerReport) elements")
        }
        for (index, instance) in instances.enumerated() where !DeviceLimits.isIdentifier(instance) {
            throw invalid("\(name)[\(index)]", DeviceLimits.identifierRule)
        }
        return instances
    }

    fileprivate mutating func permissions(_ name: String) throws(JSONFieldError) -> DevicePermissions {
        var nested = try required(name, fields(name))
        return try DevicePermissions(fields: &nested)
    }
}

// MARK: - The answer

extension DeviceAnswer {
    /// Reads an answer's body. Unknown members, which a newer server may add, are ignored.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        applied = try fields.required("applied", fields.integer("applied"))
        let elements = try fields.required("cards", fields.array("cards"))
        cards = []
        for (index, element) in elements.enumerated() {
            cards.append(try CardState(json: element, at: "cards[\(index)]"))
        }
        identity = try fields.identityRefusal("identity")
    }

    /// The answer as a body.
    public var json: JSONValue {
        var object = JSONObject([("applied", .integer(applied)), ("cards", .array(cards.map(\.json)))])
        object["identity"] = identity?.json
        return .object(object)
    }
}

extension CardState {
    init(json: JSONValue, at path: String) throws(JSONFieldError) {
        var fields = try JSONFields(json, at: path)
        instance = try fields.required("instance", fields.string("instance"))
        name = try fields.required("name", fields.string("name"))
        version = try fields.required("version", fields.integer("version"))
        ends = try fields.required("ends", fields.bool("ends"))
        contentState = try fields.object("contentState")
        staleDate = try fields.integer("staleDate")
        dismissalDate = try fields.integer("dismissalDate")
        relevanceScore = try fields.double("relevanceScore")
        timestamp = try fields.required("timestamp", fields.double("timestamp"))
    }

    var json: JSONValue {
        var object = JSONObject([
            ("instance", .string(instance)), ("name", .string(name)), ("version", .integer(version)),
            ("ends", .bool(ends)),
        ])
        object["contentState"] = contentState
        object["staleDate"] = staleDate.map(JSONValue.integer)
        object["dismissalDate"] = dismissalDate.map(JSONValue.integer)
        object["relevanceScore"] = relevanceScore.flatMap(JSONValue.finite)
        object["timestamp"] = .finite(timestamp)
        return .object(object)
    }
}

/// A request for the state of an activity. An app sends it before it starts a card of that name by itself.
public struct CardQuestion: Sendable, Hashable {
    /// The activity's name.
    public var name: String
    /// The name of the attributes type.
    public var type: String
    /// The secret that lets the phone join a private activity; nil if the app has none.
    public var joinSecret: JoinSecret?

    /// Makes a question about an activity.
    public init(name: String, type: String, joinSecret: JoinSecret? = nil) {
        self.name = name
        self.type = type
        self.joinSecret = joinSecret
    }

    /// Reads a request's body.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        name = try fields.identifier("name")
        type = try fields.identifier("type")
        joinSecret = try fields.joinSecret("joinSecret")
        try fields.finish()
    }

    /// The question as a request's body.
    public var json: JSONValue {
        var object = JSONObject([("name", .string(name)), ("type", .string(type))])
        object["joinSecret"] = joinSecret.map { .string($0.text) }
        return .object(object)
    }
}

/// The answer to a ``CardQuestion``: the state that the cards of that name show now.
public struct CardAdvice: Sendable, Hashable {
    /// The declaration's version.
    public var version: Int
    /// The state to show, as the backend wrote it.
    public var contentState: JSONValue
    /// The attributes with which the backend starts cards, including the name. Nil if the backend never started a card
    /// of this name.
    public var attributes: JSONValue?
    /// UNIX seconds, as in Apple's payload; nil for none.
    public var staleDate: Int?
    /// Any number, relative within the app; nil for none.
    public var relevanceScore: Double?

    /// Makes an answer.
    public init(
        version: Int, contentState: JSONValue, attributes: JSONValue? = nil, staleDate: Int? = nil,
        relevanceScore: Double? = nil
    ) {
        self.version = version
        self.contentState = contentState
        self.attributes = attributes
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }

    /// Reads an answer's body. Unknown members, which a newer server may add, are ignored.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        version = try fields.required("version", fields.integer("version"))
        contentState = try fields.required("contentState", fields.object("contentState"))
        attributes = try fields.object("attributes")
        staleDate = try fields.integer("staleDate")
        relevanceScore = try fields.double("relevanceScore")
    }

    /// The answer as a body.
    public var json: JSONValue {
        var object = JSONObject([("version", .integer(version)), ("contentState", contentState)])
        object["attributes"] = attributes
        object["staleDate"] = staleDate.map(JSONValue.integer)
        object["relevanceScore"] = relevanceScore.flatMap(JSONValue.finite)
        return .object(object)
    }
}

/// An app is about to start a card of a name by itself and asks what it should show.
public struct CardQuestion: Sendable, Hashable {
    /// The activity's name.
    public var name: String
    /// The name of the attributes type.
    public var type: String
    /// What lets the phone join the activity, where that is private.
    public var joinSecret: JoinSecret?

    /// A question about an activity.
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

    /// A request's body.
    public var json: JSONValue {
        var object = JSONObject([("name", .string(name)), ("type", .string(type))])
        object["joinSecret"] = joinSecret.map { .string($0.text) }
        return .object(object)
    }
}

/// What the server says to a ``CardQuestion``: what everybody's cards of that name show now.
public struct CardAdvice: Sendable, Hashable {
    /// The declaration's version.
    public var version: Int
    /// The state to show, as the backend wrote it.
    public var contentState: JSONValue
    /// The attributes with which the backend starts cards, the name included; nil where it never started one.
    public var attributes: JSONValue?
    /// UNIX seconds, as in Apple's payload.
    public var staleDate: Int?
    /// Any number, relative within the app.
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

    /// Reads an answer's body. Members that a newer server added are passed over.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        version = try fields.required("version", fields.integer("version"))
        contentState = try fields.required("contentState", fields.object("contentState"))
        attributes = try fields.object("attributes")
        staleDate = try fields.integer("staleDate")
        relevanceScore = try fields.double("relevanceScore")
    }

    /// An answer's body.
    public var json: JSONValue {
        var object = JSONObject([("version", .integer(version)), ("contentState", contentState)])
        object["attributes"] = attributes
        object["staleDate"] = staleDate.map(JSONValue.integer)
        object["relevanceScore"] = relevanceScore.flatMap(JSONValue.finite)
        return .object(object)
    }
}

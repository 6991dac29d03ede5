import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// What `createNotificationDefinition` keeps: one of our definitions, called by its key.
struct NetmeraDefinition {
    /// Callers read keys as whole numbers of 32 bits. Those of operations count from 1 and are far below these.
    private static let keys = 1_000_000_000...1_999_999_999
    private static let prefix = "netmera-"

    /// A key that no definition has.
    static func newKey(in app: AppID, _ ledger: any Ledger) throws -> Int {
        while true {
            let key = Int.random(in: keys)
            if try ledger.definition(prefix + String(key), in: app) == nil { return key }
        }
    }

    /// Whether a key is a definition's, rather than an operation's.
    static func isOne(_ key: Int) -> Bool { keys.contains(key) }

    static func name(of key: Int) -> String { prefix + String(key) }

    /// The content as one of our definitions. The group stands among the attributes, where one is given this early.
    static func template(of content: NetmeraContent) -> JSONValue {
        let attributes = content.groupID.map(content.attributes(named:)) ?? .object(content.attributes)
        return [
            "declaration": [
                "type": .string(content.type), "attributes": attributes, "contentState": content.contentState,
                "alert": ["title": .string(content.title), "body": .string(content.text)],
            ]
        ]
    }

    /// The content that ``template(of:)`` has kept.
    static func content(_ definition: Definition) throws(JSONFieldError) -> NetmeraContent {
        var fields = try JSONFields(definition.json)
        var declaration = try fields.required("declaration", fields.fields("declaration"))
        var alert = try declaration.required("alert", declaration.fields("alert"))
        var flat = JSONObject()
        flat["title"] = try alert.string("title").map(JSONValue.string)
        flat["message"] = try alert.string("body").map(JSONValue.string)
        flat["liveActAttrType"] = try declaration.string("type").map(JSONValue.string)
        flat["liveActAttr"] = declaration.value("attributes")
        flat["contentState"] = declaration.value("contentState")
        var content = try JSONFields(.object(flat))
        return try NetmeraContent(&content, texts: ["message"])
    }
}

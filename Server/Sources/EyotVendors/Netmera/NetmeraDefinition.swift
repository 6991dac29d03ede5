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
        var parameters = JSONObject()
        /// A value as it is written: what would be a place for one of our parameters is what a parameter stands for by itself.
        func kept(_ name: String, _ value: JSONValue) -> JSONValue {
            guard value.text.contains("{{") else { return value }
            parameters[name] = ["kind": "any", "default": value]
            return .string("{{\(name)}}")
        }
        let attributes = content.groupID.map(content.attributes(named:)) ?? .object(content.attributes)
        let declaration: JSONValue = [
            "type": kept("type", .string(content.type)), "attributes": kept("attributes", attributes),
            "contentState": kept("contentState", content.contentState),
            "alert": [
                "title": kept("title", .string(content.title)), "body": kept("body", .string(content.text)),
            ],
        ]
        var template = JSONObject([("declaration", declaration)])
        if !parameters.members.isEmpty { template["parameters"] = .object(parameters) }
        return .object(template)
    }

    /// The content that ``template(of:)`` has kept.
    static func content(_ definition: Definition) throws -> NetmeraContent {
        let declaration = try FillDefinition(DefinitionTemplate(json: definition.json), for: .start)([:])
        do throws(JSONFieldError) {
            var fields = try JSONFields(declaration)
            var alert = try fields.required("alert", fields.fields("alert"))
            var flat = JSONObject()
            flat["title"] = alert.value("title")
            flat["message"] = alert.value("body")
            flat["liveActAttrType"] = fields.value("type")
            flat["liveActAttr"] = fields.value("attributes")
            flat["contentState"] = fields.value("contentState")
            var members = try JSONFields(.object(flat))
            var content = try NetmeraContent(&members, texts: ["message"])
            content.endDate = definition.endsAt
            return content
        } catch {
            throw EyotError(error)
        }
    }
}

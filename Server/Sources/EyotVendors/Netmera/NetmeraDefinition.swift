import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// The result of `createNotificationDefinition`: one of Eyot's definitions, named by its key.
struct NetmeraDefinition {
    /// The keys of definitions. Callers read keys as whole numbers of 32 bits. Keys of operations count from 1 and are
    /// far below these.
    private static let keys = 1_000_000_000...1_999_999_999
    private static let prefix = "netmera-"

    /// Returns a key that no definition has.
    static func newKey(in app: AppID, _ ledger: any Ledger) throws -> Int {
        while true {
            let key = Int.random(in: keys)
            if try ledger.definition(prefix + String(key), in: app) == nil { return key }
        }
    }

    /// Whether a key belongs to a definition and not to an operation.
    static func isDefinition(_ key: Int) -> Bool { keys.contains(key) }

    static func name(of key: Int) -> String { prefix + String(key) }

    /// Returns the content as one of Eyot's definitions. If the group is already known, it is one of the attributes.
    static func template(of content: NetmeraContent) -> JSONValue {
        var parameters = JSONObject()
        /// Keeps a value as it is written. A value that looks like a place for a parameter becomes the default of a
        /// parameter.
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

    /// Returns the content that ``template(of:)`` has kept.
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

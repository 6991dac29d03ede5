import ArgumentParser
import EyotContract
import EyotServer

struct MemberList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the members with their roles.")

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let members = try MemberCommand.tool("list", settings).list().map { JSONValue.object($0.object) }
        Output.list(
            .object(JSONObject([("members", .array(members))])), of: "members",
            columns: ["name", "grants", "signIn", "sessions", "createdAt", "disabledAt"], asJSON: json)
    }
}

extension MemberTool.Entry {
    fileprivate var object: JSONObject {
        let grants = grants.map { held in
            let place = held.app.map { " in \($0.bundleID)" } ?? ""
            return held.grant.role.rawValue + place + (held.grant.hasProduction ? "" : " (sandbox)")
        }
        let ways = [
            member.password.map { _ in "password" }, member.totp.map { _ in "code" },
            member.account.map { _ in "provider" },
        ]
        var object = JSONObject([
            ("name", .string(member.name)), ("grants", .array(grants.map(JSONValue.string))),
            ("signIn", .array(ways.compactMap(\.self).map(JSONValue.string))), ("sessions", .integer(sessions)),
            ("createdAt", .string(member.createdAt.rfc3339)),
        ])
        object["disabledAt"] = member.disabledAt.map { .string($0.rfc3339) }
        return object
    }
}

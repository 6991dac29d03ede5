import ArgumentParser
import EyotContract
import EyotLab
import Foundation

struct LabPhoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "List the phones of a running lab, and act on them.",
        subcommands: [LabPhoneList.self, LabPhoneShow.self, LabPhoneAdd.self, LabPhoneAct.self])
}

/// Options that name a running lab.
struct LabOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with the output of `eyot lab --json`. (default: the newest lab on this machine)",
            valueName: "file"))
    var lab: String?

    /// Calls the lab's control API and returns the answer's body.
    func call(_ method: String, _ path: String, body: JSONValue? = nil) async throws -> JSONValue {
        let file = lab.map { LabFile(url: URL(fileURLWithPath: $0)) } ?? .latest
        let answer = try await file.client().call(method, path, body: body)
        guard answer.isSuccess else { throw CommandFailure(answer.problem, problem: answer.body.object) }
        return answer.body
    }
}

struct LabPhoneList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the phones of a lab, with the cards of each phone.")

    @OptionGroup var lab: LabOptions
    @OptionGroup var output: LabOutput

    func run() async throws {
        let body = try await lab.call("GET", "/phones")
        guard !output.json else { return Output.out(body.text) }
        let rows = (body.object?["phones"]?.array ?? []).map(Self.row)
        Output.table(
            Table(columns: ["id", "user", "os", "app", "online", "cards"], rows: rows, width: Terminal.output.width))
    }

    private static func row(_ phone: JSONValue) -> JSONValue {
        guard var row = phone.object else { return phone }
        let cards = (row["cards"]?.array ?? []).compactMap(\.object).map { card in
            let (name, state) = (card["name"]?.string ?? "?", card["state"]?.string ?? "?")
            return "\(name) \(state) \(card["contentState"]?.text ?? "")"
        }
        row["cards"] = .string(cards.isEmpty ? "-" : cards.joined(separator: "; "))
        return .object(row)
    }
}

struct LabPhoneShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the cards of a phone, and each push with its effect.",
        discussion: "eyot lab phone show phone-1")

    @Argument(help: "The phone's id, for example phone-1.")
    var phone: String

    @OptionGroup var lab: LabOptions
    @OptionGroup var output: LabOutput

    func run() async throws {
        Output.value(try await lab.call("GET", APIClient.path("phones", phone)), asJSON: output.json)
    }
}

struct LabPhoneAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add phones to a lab.",
        discussion: """
            MEMBER=VALUE sets a text, MEMBER:=VALUE sets JSON. docs/reference/lab.md lists the members.

            eyot lab phone add count:=2 user=anna os=17.2
            """)

    @Argument(help: "Members of the phones, for example user=anna.")
    var members: [ControlMember] = []

    @OptionGroup var lab: LabOptions
    @OptionGroup var output: LabOutput

    func run() async throws {
        let body = try await lab.call("POST", "/phones", body: ControlMember.body(of: members))
        guard !output.json else { return Output.out(body.text) }
        for phone in body.object?["phones"]?.array ?? [] { Output.out(phone.object?["id"]?.string ?? "") }
    }
}

struct LabPhoneAct: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "act", abstract: "Act on a phone of a lab: go offline, dismiss a card, press Allow.",
        discussion: """
            MEMBER=VALUE sets a text, MEMBER:=VALUE sets JSON. docs/reference/lab.md lists the actions and their \
            members.

            eyot lab phone act phone-1 offline
            eyot lab phone act phone-1 dismiss name=final-2022
            eyot lab phone act phone-1 settings activitiesEnabled:=false
            """)

    @Argument(help: "The phone's id, for example phone-1.")
    var phone: String

    @Argument(help: "The action, for example offline, online, dismiss, allow, identify, relaunch or quit.")
    var action: String

    @Argument(help: "Members of the action, for example name=final-2022.")
    var members: [ControlMember] = []

    @OptionGroup var lab: LabOptions
    @OptionGroup var output: LabOutput

    func run() async throws {
        let path = APIClient.path("phones", phone, action)
        let body = try await lab.call("POST", path, body: ControlMember.body(of: members))
        guard !output.json else { return Output.out(body.text) }
        let phone = body.object?["phone"] ?? body
        for member in phone.object?.members ?? [] where Self.shown.contains(member.name) {
            Output.out("\(member.name.padding(to: 8)) \(Table.text(of: member))")
        }
    }

    /// The members of the phone that are printed afterwards.
    private static let shown = ["id", "user", "app", "online", "cards"]
}

/// A member of a body on the command line: `name=text` or `name:=JSON`.
struct ControlMember: ExpressibleByArgument, Equatable {
    let name: String
    let value: JSONValue

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
        let text = String(argument[argument.index(after: sign)...])
        guard argument[argument.index(before: sign)] == ":" else {
            (name, value) = (String(argument[..<sign]), .string(text))
            return
        }
        guard let json = try? JSONValue(parsing: text) else { return nil }
        (name, value) = (String(argument[..<argument.index(before: sign)]), json)
        if name.isEmpty { return nil }
    }

    /// Returns the members as one object; nil if there are none.
    static func body(of members: [ControlMember]) -> JSONValue? {
        guard !members.isEmpty else { return nil }
        var object = JSONObject()
        for member in members { object[member.name] = member.value }
        return .object(object)
    }
}

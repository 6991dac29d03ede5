import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct RulesTests {
    @Test func `every switch has a name and a position in JSON`() throws {
        let object = try required(PhoneRules().json.object)
        #expect(PhoneRules.names == object.members.map(\.name))
        #expect(PhoneRules.names.count > 50)
        #expect(object["maximumCards"] == 5)
        #expect(object["pushMaximumAge"] == .null)
        #expect(object["startTokenMoment"] == "firstLaunch")
        #expect(object["startBudget"] == ["limit": nil, "window": 86_400])
    }

    @Test("a switch can be put to every position that the simulation knows", arguments: PhoneRules.switches)
    func put(_ position: PhoneRules.Switch) throws {
        var wanted = PhoneRules()
        position.flip(&wanted)
        let value = try required(wanted.json.object?[position.name])
        var rules = PhoneRules()
        try rules.change(.object(JSONObject([(position.name, value)])))
        #expect(rules == wanted && rules != PhoneRules())
    }

    @Test func `switches that are not named stay, and a budget keeps its other member`() throws {
        var rules = PhoneRules.narrow
        try rules.change(["tokenDelay": 3, "updateBudget": ["limit": 5]])
        #expect(rules.tokenDelay == 3)
        #expect(rules.updateBudget == PushBudget(limit: 5, window: 3_600))
        #expect(rules.startBudget.limit == 10)
        try rules.change(["startBudget": ["limit": nil]])
        #expect(rules.startBudget == PushBudget(limit: nil, window: 86_400))
    }

    @Test(
        "what is no switch, or no position of it, is refused by name",
        arguments: [
            (#"{"tokenDaley":3}"#, "rules.tokenDaley", "is not a field"),
            (#"{"tokenDelay":-1}"#, "rules.tokenDelay", "between 0 and"),
            (#"{"tokenDelay":"3"}"#, "rules.tokenDelay", "Double"),
            (#"{"maximumCards":1.5}"#, "rules.maximumCards", "1.5 does not decode as Int"),
            (#"{"startTokenMoment":"later"}"#, "rules.startTokenMoment", "later"),
            (#"{"updateBudget":{"limits":5}}"#, "rules.updateBudget.limits", "is not a field"),
            (#"{"updateBudget":{"limit":1000000}}"#, "rules.updateBudget.limit", "between 0 and 10000"),
            (#"{"endsAlert":null}"#, "rules.endsAlert", "null"), ("[]", "rules", "an object"),
        ])
    func refused(_ text: String, _ path: String, _ words: String) throws {
        var rules = PhoneRules()
        let switches = try JSONValue(parsing: text)
        do throws(JSONFieldError) {
            try rules.change(switches, at: "rules")
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.path == path)
            #expect("\(error)".contains(words), "\(error)")
        }
        #expect(rules == PhoneRules())
    }

    @Test func `a phone that is on takes other switches`() throws {
        let phone = SimulatedPhone(configuration(), clock: { kickOff })
        phone.launch()
        phone.changeRules { $0.startBudget.limit = 0 }
        let token = try required(phone.state.startToken)
        #expect(phone.receive(push(token, payload("start", at: 0))).reason == .budgetSpent)
        phone.changeRules { $0.startBudget.limit = nil }
        #expect(phone.receive(push(token, payload("start", at: 0))).card != nil)
    }
}

/// The table of switches in the reference of the lab is made from the code. `WRITE_GOLDEN=1` writes it.
struct RulesPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL
    private static let head = "| switch | default | what it decides |\n|---|---|---|\n"

    /// What the code says of each switch: the comment above its declaration.
    private static func comments() throws -> [String: String] {
        let file = root.appendingPathComponent("Sources/PhoneSimulator/PhoneRules.swift")
        var comments: [String: String] = [:]
        var words: [Substring] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            if let match = line.firstMatch(of: /^    \/\/\/ (.*)$/) {
                words.append(match.1)
            } else {
                if let match = line.firstMatch(of: /^    public var (\w+)/) {
                    comments[String(match.1)] = words.joined(separator: " ").replacing("nil for", with: "`null` for")
                }
                words = []
            }
        }
        return comments
    }

    @Test func `the page on the lab lists every switch with its default and its meaning`() throws {
        let comments = try Self.comments()
        let defaults = try required(PhoneRules().json.object)
        let rows = try defaults.members.map { member in
            "| `\(member.name)` | `\(member.value.text)` | \(try required(comments[member.name])) |\n"
        }.joined()
        let page = Self.root.appendingPathComponent("docs/reference/lab.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try required(text.range(of: Self.head)?.upperBound)
        let end = try required(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
        let table = text[start..<end] + "\n"
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" {
            try Data(text.replacingCharacters(in: start..<end, with: rows.dropLast()).utf8).write(to: page)
        } else {
            #expect(table == rows, "WRITE_GOLDEN=1 swift test --filter RulesPageTests writes the table")
        }
    }
}

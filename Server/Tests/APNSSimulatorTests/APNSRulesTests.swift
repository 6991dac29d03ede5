import EyotContract
import Foundation
import Testing

@testable import APNSSimulator

@Suite("Switches of the push service")
struct APNSRulesTests {
    @Test func `each switch has a name and can be put`() throws {
        #expect(Set(APNSRules.names) == Set(Mirror(reflecting: APNSRules()).children.compactMap(\.label)))
        let defaults = try #require(APNSRules().json.object)
        #expect(defaults.members.map(\.name) == APNSRules.names)
        for member in defaults.members {
            var rules = APNSRules()
            let other: JSONValue =
                switch member.value {
                case .bool(let isOn): .bool(!isOn)
                case .string: "refused"
                default: ["payload"]
                }
            try rules.change(member.name, to: other, at: member.name)
            #expect(rules.json != APNSRules().json, "\(member.name)")
            try rules.change(member.name, to: member.value, at: member.name)
            #expect(rules.json == APNSRules().json, "\(member.name)")
            #expect(throws: JSONFieldError.self) { try rules.change(member.name, to: 7, at: member.name) }
        }
        var rules = APNSRules()
        #expect(throws: JSONFieldError.self) { try rules.change("tokenDelay", to: 3, at: "tokenDelay") }
    }

    /// `WRITE_GOLDEN=1` writes the table.
    @Test func `the page on the lab lists every switch with its default and its meaning`() throws {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
        let code = try String(
            contentsOf: root.appending(path: "Server/Sources/APNSSimulator/APNSRules.swift"), encoding: .utf8)
        var comments: [String: String] = [:]
        var words: [Substring] = []
        for line in code.split(separator: "\n") {
            if let match = line.firstMatch(of: /^    \/\/\/ (.*)$/) {
                words.append(match.1)
            } else {
                if let match = line.firstMatch(of: /^    public (?:private\(set\) )?var (\w+)/) {
                    comments[String(match.1)] = words.joined(separator: " ")
                }
                words = []
            }
        }
        let defaults = try #require(APNSRules().json.object)
        let rows: String = try defaults.members.map { member -> String in
            let value = member.name == "order" ? "the guess in the code" : "`\(member.value.text)`"
            return "| `\(member.name)` | \(value) | \(try #require(comments[member.name])) |\n"
        }.joined()
        let page = root.appending(path: "docs/reference/lab.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let head = "| switch of the push service | default | what it decides |\n|---|---|---|\n"
        let start = try #require(text.range(of: head)?.upperBound)
        let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" {
            try Data(text.replacingCharacters(in: start..<end, with: rows.dropLast()).utf8).write(to: page)
        } else {
            #expect(text[start..<end] + "\n" == rows, "WRITE_GOLDEN=1 writes the table")
        }
    }
}

import EyotContract
import EyotDomain
import Foundation
import Testing

@testable import EyotCommands

@Suite("The members of a declaration")
struct DeclarationMemberTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/reference/api/activities.md").standardizedFileURL

    /// The table of the reference.
    private static var table: String {
        let rows = DeclarationMember.all.map { member in
            "| `\(member.name)` | \(member.uses.map(\.rawValue).joined(separator: " | ")) | \(member.meaning) |"
        }
        return (["| member | start | update | end | PUT | |", "|---|---|---|---|---|---|"] + rows)
            .joined(separator: "\n")
    }

    /// Rewrites the table if `WRITE_GOLDEN` is set.
    @Test func `The reference has their table`() throws {
        var text = try String(contentsOf: Self.page, encoding: .utf8)
        let heading = try #require(text.range(of: "| member | start | update | end | PUT | |"))
        let rest = text[heading.lowerBound...]
        let end = try #require(rest.range(of: "\n\n"))
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil {
            text.replaceSubrange(heading.lowerBound..<end.lowerBound, with: Self.table)
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(String(rest[..<end.lowerBound]) == Self.table, "WRITE_GOLDEN=1 writes the table")
        }
    }

    @Test func `Each is described once, and a call that refuses it says why`() {
        #expect(Set(DeclarationMember.all.map(\.name)).count == DeclarationMember.all.count)
        for member in DeclarationMember.all {
            #expect(member.uses.count == DeclarationMember.verbs.count, "\(member.name)")
            #expect(member.uses.contains(.refused) == !member.reason.isEmpty, "\(member.name)")
            #expect(!member.plainMeaning.contains("]("), "\(member.name)")
        }
    }

    @Test(arguments: DeclarationMember.all.filter { $0.uses.contains(.refused) }.map(\.name))
    func `A call that does not take a member refuses it by name`(name: String) throws {
        let member = try #require(DeclarationMember.named(name))
        for (verb, use) in zip(DeclarationMember.verbs, member.uses) where use == .refused {
            do throws(EyotError) {
                _ = try DeclarationBody(
                    json: .object(JSONObject([(name, Self.value(of: member))])), verb: verb, name: "m")
                Issue.record("\(verb) takes \(name)")
            } catch {
                #expect(error.code == .fieldInvalid && error.field == name, "\(verb) \(name): \(error.detail)")
            }
        }
    }

    private static func value(of member: DeclarationMember) -> JSONValue {
        switch member.kind {
        case .text: "a"
        case .object: member.name == "start" ? ["alert": ["title": "a", "body": "b"]] : [:]
        case .moment, .plannedEnd: "2030-01-01T00:00:00Z"
        case .flag, .live: true
        case .audience: "all"
        case .number, .priority: 5
        case .canary: ["percent": 5]
        case .word(let words): .string(words[0])
        }
    }
}

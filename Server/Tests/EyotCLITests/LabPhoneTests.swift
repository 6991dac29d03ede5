import EyotContract
import EyotLab
import Foundation
import Testing

@testable import eyot

@Suite("Phones of a lab on the command line", .timeLimit(.minutes(10)))
struct LabPhoneTests {
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")

    @Test func `A command acts on a phone of the lab that its file describes`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let file = LabFile(url: folder.appendingPathComponent("lab.json"))
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Lab.run(LabConfiguration(phones: 2, executable: Self.executable)) { lab in
            try await lab.untilStartable()
            let description = await lab.description.json
            file.write(description)
            let mode = try FileManager.default.attributesOfItem(atPath: file.url.path)[.posixPermissions]
            #expect(mode as? Int == 0o600, "it holds the lab's secrets")
            func run(_ words: String...) async -> Main.Code {
                await Main.run(["lab", "phone"] + words + ["--lab", file.url.path])
            }
            #expect(await run("act", "phone-2", "offline") == .done)
            #expect(lab.phones.map(\.state.isOnline) == [true, false])
            #expect(await run("act", "phone-1", "identify", "user=bert") == .done)
            #expect(lab.phones[0].user == "bert")
            #expect(await run("act", "phone-1", "settings", "activitiesEnabled:=false") == .done)
            #expect(await run("add", "count:=2", "os=17.2") == .done)
            #expect(lab.phones.count == 4)
            #expect(await run("list") == .done)
            #expect(await run("show", "phone-9") == .failed)
            file.remove(["control": "another lab"])
            #expect(FileManager.default.fileExists(atPath: file.url.path), "it is another lab's by now")
            file.remove(description)
            #expect(await run("list") == .failed)
        }
    }

    @Test(
        arguments: [
            ("name=final", ControlMember(argument: "name:=\"final\"")),
            ("os=27.0", ControlMember(argument: "os:=\"27.0\"")),
            ("count:=2", nil), ("=x", nil), ("name", nil), (":=2", nil), ("count:=", nil),
        ] as [(String, ControlMember?)])
    func `A member is a text, or JSON after a colon`(text: String, same: ControlMember?) {
        let member = ControlMember(argument: text)
        #expect(text == "count:=2" ? member?.value == .integer(2) : member == same)
    }
}

@Suite struct `What a terminal shows` {
    private let rows: [JSONValue] = [
        ["name": "final-2022", "audience": "a very long description of whom it is for", "state": "active"]
    ]

    @Test(arguments: [40, 60, 80]) func `A table fits the terminal and says that it is cut`(width: Int) {
        let table = Table(columns: ["name", "audience", "state"], rows: rows, width: width)
        #expect(table.lines.allSatisfy { $0.count <= width }, "\(table.lines)")
        #expect(table.isCut == (width < 70))
        #expect(table.lines[1].hasPrefix("final-2022"))
    }

    @Test func `A table that is too wide by far loses its last columns`() {
        let columns = (1...20).map { "column\($0)" }
        let row = JSONObject(columns.map { ($0, .string("a value of some length")) })
        let table = Table(columns: columns, rows: [.object(row)], width: 80)
        #expect(table.lines.allSatisfy { $0.count <= 80 })
        #expect(table.lines[0].hasPrefix("COLUMN1") && !table.lines[0].contains("COLUMN20"))
    }

    @Test func `Text is styled on a terminal alone, and not where NO_COLOR is set`() {
        #expect(Terminal(isTerminal: true).styled("Error", .red) == "\u{1B}[31mError\u{1B}[0m")
        #expect(Terminal(isTerminal: true, environment: ["NO_COLOR": "1"]).styled("Error", .red) == "Error")
        #expect(Terminal(isTerminal: true, environment: ["TERM": "dumb"]).styled("Error", .red) == "Error")
        #expect(Terminal(isTerminal: false).styled("Error", .red) == "Error")
        #expect(Terminal(isTerminal: false, width: 100).width == nil)
        #expect(Terminal(isTerminal: true, environment: ["COLUMNS": "100"]).width == 100)
    }

    @Test func `The progress of an activity is one line`() {
        let running = ActivityProgress([
            "version": 3, "state": "active", "phases": ["live": 3, "dead": 0, "starting": 1],
            "tally": ["accepted": 9, "refused": 0], "stateAge": ["now": ["behind": 2, "maxSeconds": 0.42]],
        ])
        #expect(running.text == "version 3, active | live 3, starting 1 | 2 behind for 0.4 s | accepted 9")
        #expect(!running.isOver)
        #expect(ActivityProgress(["version": 4, "state": "ended", "phases": ["ended": 4]]).isOver)
        #expect(
            ActivityProgress(["version": 4, "state": "active", "halt": ["by": "activity"]]).text.contains("halted"))
    }
}

import EyotStore
import Foundation
import Testing

/// The steps of the schema against the file of their texts, which is written when a step is released.
@Suite("Frozen steps of the schema")
struct FrozenStepsTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../Golden/schema-steps.txt").standardizedFileURL

    /// The texts of these steps, each below a line with its number, name and hash.
    private static func text(of steps: [Schema.Migration]) -> String {
        steps.enumerated().map { index, step in
            "== \(index + 1) \(step.name) \(step.hash(in: .sqlite))\n\(step.text(in: .sqlite))\n"
        }.joined()
    }

    /// The names of frozen steps that a program has changed, left out, or put elsewhere.
    private static func changes(of steps: [Schema.Migration], from frozen: String) -> [String] {
        let heads = frozen.split(separator: "\n").filter { $0.hasPrefix("== ") }
        let present = text(of: steps).split(separator: "\n").filter { $0.hasPrefix("== ") }
        return heads.enumerated().compactMap { index, head in
            index < present.count && present[index] == head
                ? nil : "Step \(head.dropFirst(3)) is released and has changed. Put it back, and write a new step."
        }
    }

    @Test func `The text of a released step stays as it was`() throws {
        let released = Array(Schema.migrations.prefix(Schema.releasedVersion))
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" {
            // Frozen steps are never written again.
            let frozen = (try? String(contentsOf: Self.file, encoding: .utf8)) ?? ""
            try #require(Self.changes(of: Schema.migrations, from: frozen) == [])
            try Data(Self.text(of: released).utf8).write(to: Self.file)
        }
        let frozen = try String(contentsOf: Self.file, encoding: .utf8)
        #expect(Self.changes(of: Schema.migrations, from: frozen) == [])
        #expect(frozen == Self.text(of: released), "the file has the steps of the last release")
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["RELEASE"] == "1"))
    func `A release has frozen all of its steps`() {
        #expect(Schema.releasedVersion == Schema.version, "set Schema.releasedVersion, and run scripts/release --write")
    }

    @Test func `A changed text, a changed name and a missing step are found`() {
        let step = Schema.Migration(name: "one") { _ in ["CREATE TABLE a (b INTEGER)"] }
        let frozen = Self.text(of: [step])
        #expect(Self.changes(of: [step], from: frozen) == [])
        let wider = Schema.Migration(name: "one") { _ in ["CREATE TABLE a (b INTEGER, c INTEGER)"] }
        let fill = SchemaFill(table: "a", key: "b", statements: [])
        let filled = Schema.Migration(name: "one", fill: fill) { _ in ["CREATE TABLE a (b INTEGER)"] }
        let renamed = Schema.Migration(name: "two") { _ in ["CREATE TABLE a (b INTEGER)"] }
        for steps in [[wider], [filled], [renamed], [], [renamed, step]] {
            #expect(Self.changes(of: steps, from: frozen).count == 1)
        }
    }

    @Test func `The program of the last release works with each later step`() {
        for (index, step) in Schema.migrations.enumerated().dropFirst(Schema.releasedVersion) {
            #expect(
                (step.worksSince ?? index + 1) <= Schema.releasedVersion,
                """
                Step \(step.name) would lock out the released program. Make it add only, and give it worksSince: \
                \(Schema.releasedVersion). What it would take away goes with the release after the next.
                """)
        }
    }
}

// Swift of docs/reference/schema.md, word for word.
import EyotKitTesting
import Foundation
import Testing

@Test func `the schema that is committed is that of the type`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Match.schema.json")
    // Once, and again whenever the type changes: try SchemaFile.write(MatchAttributes.self, to: file)
    try SchemaFile.check(MatchAttributes.self, against: file)
}

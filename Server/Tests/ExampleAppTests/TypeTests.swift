import EyotKit
import EyotKitTesting
import Foundation
import Testing

/// The schemas that are committed beside the example's types. The tests check them as an app's own unit tests do.
/// `WRITE_GOLDEN=1` writes the files anew.
@Suite struct `The example's types` {
    private func check<Attributes: ActivityAttributes>(_ type: Attributes.Type) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Shared/\(type).schema.json")
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" { try SchemaFile.write(type, to: file) }
        try SchemaFile.check(type, against: file)
    }

    @Test func `A match has the schema that is committed`() throws { try check(MatchAttributes.self) }
    @Test func `A delivery has the schema that is committed`() throws { try check(DeliveryAttributes.self) }
    @Test func `A waiting list has the schema that is committed`() throws { try check(WaitingListAttributes.self) }
}

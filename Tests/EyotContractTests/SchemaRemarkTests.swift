import EyotContract
import Testing

@Suite struct `A remark on a value that fits` {
    private static let now = 1_795_600_000.0
    private static let schema = ActivitySchema(
        type: "T", attributes: .object(ObjectShape([.init("home", .text(.string))])),
        contentState: .object(
            ObjectShape([
                .init("until", .reference("Moment")), .init("laps", .array(.number(.date)), isRequired: false),
                .init("either", .union([.number(.double), .number(.date)]), isRequired: false),
            ])), types: ["Moment": .optional(.number(.date))])

    private func remarks(_ state: String) throws -> [String] {
        Self.schema.remarks(onContentState: try JSONValue(parsing: state), at: Self.now).map(\.description)
    }

    @Test func `names the date that phones show for a Unix time`() throws {
        #expect(
            try remarks(#"{"until":1795600060}"#) == [
                "content-state.until is 1795600060, which looks like Unix time in seconds. A Swift Date counts seconds from "
                    + "2001, so phones show 2057-11-25. For 2026-11-25 send 817292860."
            ])
        let milliseconds = try remarks(#"{"until":817292860,"laps":[817292860,1795600060500]}"#)
        #expect(milliseconds.count == 1)
        #expect(milliseconds.first?.contains("content-state.laps[1] is 1795600060500") == true)
        #expect(milliseconds.first?.contains("phones show 58901-") == true, "\(milliseconds)")
        #expect(milliseconds.first?.hasSuffix("send 817292860.5.") == true)
    }

    @Test(
        arguments: [
            "817292860", "0", "-978307200", "63113904000", "null", "1.2e9", "1305000000",
        ]) func `is not made of a date that may be meant`(literal: String) throws
    {
        #expect(try remarks(#"{"until":\#(literal)}"#) == [])
    }

    @Test func `is not made where the number need not be a date`() throws {
        #expect(try remarks(#"{"until":null,"either":1795600060}"#) == [])
    }

    @Test func `names a member that the type does not have`() throws {
        #expect(
            try remarks(#"{"untill":1,"x":2}"#) == [
                "content-state.untill is not a member of the type, so phones ignore it; did you mean until?",
                "content-state.x is not a member of the type, so phones ignore it.",
            ])
        let attributes = try JSONValue(parsing: #"{"home":"A","eyotActivityName":"f","hom":1}"#)
        #expect(
            Self.schema.remarks(onAttributes: attributes, at: Self.now).map(\.path) == ["attributes.hom"])
    }
}

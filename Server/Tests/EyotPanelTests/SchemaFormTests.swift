import EyotContract
import EyotHTTP
import Testing

@testable import EyotPanel

/// Forms that schemas make.
@Suite("Forms by schema") struct SchemaFormTests {
    private static let shape = JSONShape.object(
        ObjectShape([
            .init("homeScore", .number(.int)), .init("share", .number(.double)), .init("isLive", .bool),
            .init("clock", .text(.string)), .init("stage", .reference("Stage")),
            .init("note", .optional(.text(.string)), isRequired: false),
            .init("scorer", .object(ObjectShape([.init("name", .text(.string)), .init("minute", .number(.int))]))),
            .init("goals", .array(.number(.int))),
        ]))
    private static let form = SchemaForm(
        "contentState", shape, types: ["Stage": .cases(["first", "second"], of: nil)])
    private static let state: JSONValue = [
        "homeScore": 2, "share": 0.5, "isLive": true, "clock": "82", "stage": "second",
        "scorer": ["name": "Mbappé", "minute": 80], "goals": [1, 2], "later": "kept",
    ]

    private func fields(_ values: [String: String]) throws -> FormFields {
        let text = values.map { "\($0.key)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
        return try FormFields(Array(text.utf8))
    }

    @Test func `Members that carry a card's name are no fields of the attributes`() throws {
        let names = [AttributesMember.activityName] + AttributesMember.vendorNames
        let members = (names + ["orderId"]).map { ObjectShape.Member($0, .text(.string)) }
        let form = SchemaForm(
            attributesOf: ActivitySchema(
                type: "Order", attributes: .object(ObjectShape(members)), contentState: .any))
        #expect(form.leaves?.map(\.path) == [["orderId"]])
        #expect(form.mismatch(of: ["orderId": "7"]) == nil)
    }

    @Test func `A field for each member is called as the API calls it`() {
        let names = Self.form.leaves?.map(Self.form.name)
        #expect(
            names == [
                "contentState.homeScore", "contentState.share", "contentState.isLive", "contentState.clock",
                "contentState.stage", "contentState.note", "contentState.scorer.name", "contentState.scorer.minute",
                "contentState.goals",
            ])
        let view = Self.form.view(Self.state)
        #expect(view.map(\.value).prefix(5) == ["2", "0.5", "true", "82", #""second""#])
        #expect(view[4].choices.map(\.title) == ["first", "second"])
        #expect(view[4].choices.map(\.isChosen) == [false, true])
        #expect(view[5].fieldHint == "may be left out")
        #expect(view[8].isLong)
    }

    @Test func `What was typed becomes the state, number for number, and members without a field stay`() throws {
        var typed = Dictionary(uniqueKeysWithValues: Self.form.view(Self.state).map { ($0.name, $0.value) })
        typed["contentState.homeScore"] = "3"
        typed["contentState.share"] = "0.50"
        let read = try Self.form.read(fields(typed), over: Self.state)
        #expect(
            read.text == #"""
                {"homeScore":3,"share":0.50,"isLive":true,"clock":"82","stage":"second",\#
                "scorer":{"name":"Mbappé","minute":80},"goals":[1,2],"later":"kept"}
                """#)
    }

    @Test func `What does not fit is said beside its field`() throws {
        let typed = try fields([
            "contentState.homeScore": "two", "contentState.share": "1", "contentState.isLive": "perhaps",
            "contentState.clock": "82", "contentState.stage": "third", "contentState.goals": "[1",
            "contentState.scorer.minute": "1",
        ])
        let faults = #expect(throws: FieldFaults.self) { try Self.form.read(typed, over: nil) }
        #expect(
            faults?.byField.keys.sorted() == [
                "contentState.goals", "contentState.homeScore", "contentState.isLive", "contentState.stage",
            ])
        let view = Self.form.view(Self.state, typed: typed, faults: faults ?? FieldFaults())
        #expect(view[0].value == "two" && view[0].fieldFault != nil, "what was typed is kept")
        #expect(view[3].fieldFault == nil)
    }

    @Test func `Without a schema the state is JSON`() throws {
        let form = SchemaForm("contentState", nil)
        #expect(form.view(["a": 1])[0].value == #"{"a":1}"#)
        #expect(try form.read(fields(["contentState": #"{"a":1.0}"#]), over: nil).text == #"{"a":1.0}"#)
        #expect(throws: FieldFaults.self) { try form.read(fields(["contentState": "[1]"]), over: nil) }
        #expect(throws: FieldFaults.self) { try form.read(fields(["contentState": "{"]), over: nil) }
    }

    @Test func `Ids of fields are safe for any name`() {
        #expect(SchemaForm.id(of: "a.b \"<") == "f-a-2eb-20-22-3c")
    }
}

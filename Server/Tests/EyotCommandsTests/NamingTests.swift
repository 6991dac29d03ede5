import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotCommands

@Suite("The name in a card's attributes")
struct NamingTests {
    private let ledger = MemoryLedger()

    private func named(_ attributes: String, schemas: [String] = []) throws -> (text: String, warnings: [String]) {
        let app = ledger.insertApp(bundleID: "a", name: "a", publicKey: "k", at: Instant(second: 0)).id
        for (index, members) in schemas.enumerated() {
            let json = #"{"attributes":{"type":"object","properties":{\#(members)}},"contentState":{}}"#
            let text = try JSONValue(parsing: Array(json.utf8))
            ledger.put(
                TypeSchema(
                    app: app, type: "Match", build: "\(index)", json: Array(text.utf8), pushedAt: Instant(second: 0)))
        }
        var request = DeclarationRequest(verb: .start, name: "final", content: Content(state: [:]))
        request.type = "Match"
        request.attributes = try JSONValue(parsing: Array(attributes.utf8))
        let builds = Set(schemas.indices.map(String.init))
        let warnings = try NameCards(ledger: ledger, app: app)(&request, builds: builds)
        return (request.attributes?.text ?? "", warnings)
    }

    @Test(
        "It is added where no member says it, and else all stays as it was written",
        arguments: [
            (#"{"home":"ARG","odds":2.50}"#, #"{"home":"ARG","odds":2.50,"eyotActivityName":"final"}"#),
            (#"{"gameID":"final"}"#, #"{"gameID":"final"}"#),
            (#"{"eyotActivityName":"final","n":1.0}"#, #"{"eyotActivityName":"final","n":1.0}"#),
            (#"{"eyotActivityName":null}"#, #"{"eyotActivityName":"final"}"#),
        ])
    func adds(written: String, stored: String) throws {
        let named = try named(written)
        #expect(named.text == stored)
        #expect(named.warnings == [])
    }

    @Test(
        "Where the schemas of the audience's builds say which members there are, it stands in those",
        arguments: [
            ([#""netmeraGroupId":{"type":["string","null"]}"#], #"{"netmeraGroupId":"final"}"#),
            (
                [#""brazeActivityId":{"type":"string"}"#, #""eyotActivityName":{"type":"string"}"#],
                #"{"eyotActivityName":"final","brazeActivityId":"final"}"#
            ),
            ([#""insiderLiveActivityId":{}"#], #"{"insiderLiveActivityId":"final"}"#),
        ])
    func schemas(of builds: [String], stored: String) throws {
        let named = try named("{}", schemas: builds)
        #expect(named.text == stored)
        #expect(named.warnings == [])
    }

    @Test func `a type that has no member for it is told of, unless another member is the name`() throws {
        let home = #""home":{"type":"string"}"#
        let silent = try named(#"{"home":"ARG"}"#, schemas: [home])
        #expect(silent.text == #"{"home":"ARG"}"#)
        #expect(silent.warnings.first?.contains("Match has no member for the activity's name") == true)
        #expect(try named(#"{"home":"final"}"#, schemas: [home]).warnings == [])
        let number = try named("{}", schemas: [#""eyotActivityName":{"type":"integer"}"#])
        #expect(number.text == "{}")
    }

    @Test func `a name of another activity is refused`() {
        #expect(throws: EyotError.self) { try named(#"{"eyotActivityName":"semi"}"#) }
        let netmera = #""netmeraGroupId":{"type":"string"}"#
        #expect(throws: EyotError.self) { try named(#"{"netmeraGroupId":"semi"}"#, schemas: [netmera]) }
    }
}

import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotCommands

@Suite("The name in a card's attributes")
struct NamingTests {
    @Test(
        "It is added where no member says it, and else all stays as it was written",
        arguments: [
            (#"{"home":"ARG","odds":2.50}"#, #"{"home":"ARG","odds":2.50,"eyotActivityName":"final"}"#),
            (#"{"gameID":"final"}"#, #"{"gameID":"final"}"#),
            (#"{"eyotActivityName":"final","n":1.0}"#, #"{"eyotActivityName":"final","n":1.0}"#),
            (#"{"eyotActivityName":null}"#, #"{"eyotActivityName":"final"}"#),
        ])
    func adds(written: String, stored: String) throws {
        var request = DeclarationRequest(verb: .start, name: "final", content: Content(state: [:]))
        request.attributes = try JSONValue(parsing: Array(written.utf8))
        try request.nameCards()
        #expect(request.attributes?.text == stored)
    }

    @Test func `a name of another activity is refused`() throws {
        var request = DeclarationRequest(verb: .start, name: "final", content: Content(state: [:]))
        request.attributes = ["eyotActivityName": "semi"]
        #expect(throws: EyotError.self) { try request.nameCards() }
    }
}

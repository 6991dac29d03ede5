import EyotContract
import Testing

@Suite struct `A near miss` {
    @Test(arguments: [
        ("MatchAttribute", "MatchAttributes"), ("fnas", "fans"), ("FANS", "fans"), ("vpi", "vip"),
        ("MacthAtributes", "MatchAttributes"),
    ])
    func `is the name that was meant`(name: String, meant: String) {
        #expect(NearMiss.of(name, among: ["vip", "fans", "MatchAttributes", "OrderAttributes"]) == meant)
    }

    @Test(arguments: ["press", "v", "MatchScoreAttributes", ""])
    func `is none where no name is near`(name: String) {
        #expect(NearMiss.of(name, among: ["vip", "fans", "MatchAttributes"]) == nil)
    }

    @Test func `is not the name itself, and of equally near names the first`() {
        #expect(NearMiss.of("fans", among: ["fans"]) == nil)
        #expect(NearMiss.of("fan", among: ["fanz", "fans"]) == "fans")
    }

    @Test func `is bounded in the length and the number of names`() {
        let long = String(repeating: "a", count: 129)
        #expect(NearMiss.of(long, among: [long + "a"]) == nil)
        let many = (0..<1_000).map { "name\($0)" } + ["fans"]
        #expect(NearMiss.of("fnas", among: many) == nil)
    }
}

import EyotCommands
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

@Suite("An alert with texts in several languages")
struct LanguageTests {
    private static let body: JSONValue = [
        "title": "Goal", "body": "1:0", "sound": "goal.caf",
        "localizations": ["de": ["title": "Tor"], "pt-BR": ["title": "Golo", "sound": "gol.caf"]],
    ]

    private let alert = AlertText(Self.body)

    @Test(
        arguments: [
            ("de", "de"), ("DE-at", "de"), ("pt-BR", "pt-BR"), ("pt-br-x-1", "pt-BR"), ("pt", nil), ("den", nil),
            ("fr", nil), (nil, nil),
        ] as [(String?, String?)]) func `A phone gets that of its own language, or of what its language is a kind of`(
            language: String?, expected: String?
        )
    {
        #expect(alert.localization(for: language) == expected)
    }

    @Test func `A language's texts take the place of the others', and no phone gets the list`() {
        #expect(alert.text(in: nil).text == #"{"title":"Goal","body":"1:0","sound":"goal.caf"}"#)
        #expect(alert.text(in: "pt-BR").text == #"{"title":"Golo","body":"1:0","sound":"gol.caf"}"#)
        #expect(alert.longestText == alert.text(in: nil))
        let plain = AlertText(["title": "Goal"])
        #expect(!plain.isLocalized)
        #expect(plain.text(in: nil) == ["title": "Goal"])
    }

    private func declare(_ drive: EngineDrive, _ app: App, _ state: Int, alert: Alert?) throws {
        let content = Content(state: ["n": .integer(state)], alert: alert)
        _ = try Declare(Transaction(drive.ledger, at: drive.now), app: app.id)(
            DeclarationRequest(verb: .update, name: "m", content: content))
    }

    @Test func `Each card of the ring gets its phone's, those of a language together, and all are settled by page`()
        throws
    {
        let (drive, cards) = (EngineDrive(), 1_200)
        let app = try drive.app("m", cards: cards)
        let languages: [String?] = ["de", nil, "fr", "pt-BR"]
        for var device in drive.ledger.devices(after: DeviceID(rawValue: 0), limit: .max) {
            device.language = languages[Int(device.id.rawValue) % 4]
            drive.ledger.update(device)
        }
        try declare(drive, app, 1, alert: Alert(body: Self.body, expiresAt: Instant(second: 2_000_000_000)))
        try drive.run()
        #expect(drive.pages.count == 2, "one for each page of the ring")
        #expect(drive.pushes.count == cards)
        let titles = Dictionary(grouping: drive.pushes, by: \.title).mapValues(\.count)
        #expect(titles == ["Tor": 300, "Golo": 300, "Goal": 600])
        #expect(drive.pushes.allSatisfy { ($0.title == "Tor") == ($0.ordinal % 4 == 0) })
        let activity = try #require(drive.ledger.newestActivity(named: "m", in: app.id))
        let replicas = drive.ledger.replicas(of: activity.id, after: 0, limit: .max)
        #expect(replicas.allSatisfy { $0.acceptedVersion == 1 && $0.alertedVersion == 1 })
        // What comes without an alert is the same for all of them.
        drive.now = drive.now + 5
        try declare(drive, app, 2, alert: nil)
        try drive.run()
        #expect(drive.pushes.suffix(cards).allSatisfy { $0.state == 2 && $0.title == nil })
    }

    @Test func `A card that is looked at alone gets its phone's, too`() throws {
        let drive = EngineDrive()
        let app = try drive.app("m", cards: [(1, .sandbox), (2, .sandbox)])
        var device = try #require(drive.ledger.devices(after: DeviceID(rawValue: 1), limit: 1).first)
        device.language = "de-CH"
        drive.ledger.update(device)
        try declare(drive, app, 1, alert: Alert(body: Self.body, expiresAt: Instant(second: 2_000_000_000)))
        try drive.run()
        #expect(drive.pushes.map(\.title) == ["Goal", "Tor"])
    }
}

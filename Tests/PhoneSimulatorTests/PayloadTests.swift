import EyotContract
import Foundation
import PhoneSimulator
import Testing

/// What a phone makes of payloads where Apple's pages leave it open.
struct PayloadTests {
    static let malformed: [(String, JSONValue)] = [
        ("alert", "Goal"), ("stale-date", "2022-12-18T16:00:00Z"), ("dismissal-date", true),
        ("relevance-score", "high"), ("input-push-token", "1"), ("input-push-channel", 7),
    ]

    @Test("An optional member of the wrong kind spoils the push, unless the switch says that it counts as absent")
    func readsMalformedMembers() throws {
        for member in Self.malformed {
            for drops in [true, false] {
                var phone = launchedPhone { $0.dropsMalformedPush = drops }
                _ = try phone.start()
                let effect = try phone.change("update", stamped: 10, arriving: 10, extra: [member])
                #expect(effect.reason?.code == (drops ? "malformed" : nil))
                #expect(phone.cards.first?.content.staleDate == nil && phone.cards.first?.alerts == 1)
            }
        }
        var phone = launchedPhone { $0.dropsMalformedPush = false }
        #expect(try phone.start(extra: [("alert", "Kick-off")]).reason == .missingAlert)
        #expect(try phone.start(extra: [("timestamp", "now")]).reason?.code == "malformed")
        #expect(try phone.start(extra: [("content-state", "0-0")]).reason?.code == "malformed")
    }

    @Test func `a push without stale date and score clears them, unless the switch says that they stay`() throws {
        for keeps in [false, true] {
            var phone = launchedPhone { $0.keepsAbsentMembers = keeps }
            _ = try phone.start(extra: [("stale-date", .unix(300)), ("relevance-score", 7)])
            _ = try phone.change("update", stamped: 10, arriving: 10)
            let content = try required(phone.cards.first?.content)
            #expect(content.staleDate == (keeps ? at(300) : nil))
            #expect(content.relevanceScore == (keeps ? 7 : 0))
            _ = try phone.change(
                "update", stamped: 11, arriving: 11, extra: [("stale-date", .unix(400)), ("relevance-score", 8)])
            #expect(phone.cards.first?.content.staleDate == at(400))
            #expect(phone.cards.first?.content.relevanceScore == 8)
        }
    }

    @Test func `a name with its module before it is no type of the app, unless the switch says so`() throws {
        for takes in [false, true] {
            var phone = launchedPhone { $0.takesQualifiedTypeNames = takes }
            let effect = try phone.start(extra: [("attributes-type", "Matchday.Match")])
            #expect(effect.reason == (takes ? nil : .unknownType("Matchday.Match")))
            #expect(phone.cards(ofType: "Match").count == (takes ? 1 : 0))
            #expect(try phone.start(extra: [("attributes-type", ".")]).reason == .unknownType("."))
        }
    }

    @Test func `an update may fill 4,096 bytes, unless the switch counts the attributes too`() throws {
        for counts in [false, true] {
            var phone = launchedPhone { $0.updateCountsAttributes = counts }
            let id = try phone.requestLocally()
            // {"home":"Argentina"} has 20 bytes and {"score":""} 12.
            for (bytes, isShown) in [(4_076, true), (4_077, !counts), (4_096, !counts), (4_097, false)] {
                let state: JSONValue = ["score": .string(String(repeating: "x", count: bytes - 12))]
                let reason = phone.update(card: id, to: CardContent(state: state), now: at(Double(bytes)))
                #expect(reason == (isShown ? nil : .tooLarge))
            }
        }
    }

    @Test func `a dismissal date before the end is nothing, unless the switch says that it counts`() throws {
        for counts in [false, true] {
            var phone = launchedPhone { $0.earlyDismissalDateCounts = counts }
            _ = try phone.start(extra: [("dismissal-date", .unix(9 * hour))])
            var kept = phone
            phone.advance(to: at(8 * hour))
            #expect(phone.cards.first?.removedAt == at(counts ? 9 * hour : 12 * hour))
            _ = try kept.change("update", stamped: 10, arriving: 10, extra: [("dismissal-date", .unix(600))])
            _ = try kept.change("end", stamped: 20, arriving: 20)
            #expect(kept.cards.first?.removedAt == at(counts ? 600 : 20 + 4 * hour))
            let json = try JSONEncoder().encode(kept.archive)
            let restored = PhoneState(
                kept.configuration, restoring: try JSONDecoder().decode(PhoneArchive.self, from: json))
            #expect(restored.cards == kept.cards)
        }
    }
}

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

    @Test func `an end whose state does not decode, or is too large, ends the card where the switch says so`() throws {
        for ends in [false, true] {
            for state in [["goals": 1], ["score": .string(String(repeating: "x", count: 3_900))]] as [JSONValue] {
                var phone = launchedPhone {
                    $0.undecodableEndEnds = ends
                    $0.updateCountsAttributes = true
                }
                let home: JSONValue = ["home": .string(String(repeating: "a", count: 400))]
                _ = try phone.start(extra: [("attributes", home)])
                let effect = try phone.change("end", stamped: 10, arriving: 10, extra: [("content-state", state)])
                #expect((effect.reason == nil) == ends)
                #expect(phone.cards.first?.phase == (ends ? .ended : .active))
                #expect(phone.score == "0-0")
            }
        }
    }

    @Test func `an end's alert sounds, unless the switch says no`() throws {
        for sounds in [true, false] {
            var phone = launchedPhone { $0.endsAlert = sounds }
            _ = try phone.start()
            let alert: JSONValue = ["title": "Over", "body": "4-2"]
            _ = try phone.change("end", stamped: 10, arriving: 10, extra: [("alert", alert)])
            #expect(phone.cards.first?.alerts == (sounds ? 2 : 1))
            #expect(phone.pushes.entries.last?.alerted == sounds)
        }
    }

    @Test func `a dismissal date in milliseconds is one far ahead, and such a timestamp too far`() throws {
        var phone = launchedPhone()
        _ = try phone.start()
        let late: JSONValue = .integer(Int(at(60).timeIntervalSince1970) * 1_000)
        #expect(
            try phone.change("update", stamped: 5, arriving: 5, extra: [("timestamp", late)]).reason == .farFuture)
        #expect(try phone.change("end", stamped: 10, arriving: 10, extra: [("dismissal-date", late)]).reason == nil)
        phone.advance(to: at(4 * hour + 11))
        #expect(phone.cards.isEmpty || phone.cards.first?.phase == .dismissed)
    }
}

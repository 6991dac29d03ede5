import APNSWire
import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct OrderTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let event: String
        let stamped: TimeInterval
        var extra: [(String, JSONValue)] = []
        let reason: IgnoreReason?
        var testDescription: String { name }
    }

    /// The card was started at 0 and updated at 60; the push of the case arrives at 100.
    static let cases = [
        Case(name: "a newer update is shown", event: "update", stamped: 61, reason: nil),
        Case(name: "an older update is ignored", event: "update", stamped: 59, reason: .olderTimestamp),
        Case(name: "an update of the same second is ignored", event: "update", stamped: 60, reason: .olderTimestamp),
        Case(name: "an update eight hours ahead is shown", event: "update", stamped: 100 + 8 * hour, reason: nil),
        Case(name: "one further ahead is ignored", event: "update", stamped: 101 + 8 * hour, reason: .farFuture),
        Case(
            name: "milliseconds are far in the future", event: "update", stamped: 0,
            extra: [("timestamp", .integer(Int64(kickOff.timeIntervalSince1970) * 100))], reason: .farFuture),
        Case(name: "a start to an update token is ignored", event: "start", stamped: 61, reason: .wrongToken),
        Case(name: "an end with an older time is taken", event: "end", stamped: 59, reason: nil),
    ]

    @Test("Updates are ordered by their timestamps", arguments: cases)
    func ordersByTimestamp(_ example: Case) throws {
        var phone = launchedPhone()
        _ = try phone.start()
        _ = try phone.change("update", stamped: 60, arriving: 60, score: "1-0")
        let effect = try phone.change(
            example.event, stamped: example.stamped, arriving: 100, score: "2-0",
            extra: example.extra)
        #expect(effect.reason == example.reason)
        let isShown = example.reason == nil && example.event == "update"
        #expect(phone.score == (isShown ? "2-0" : "1-0"))
    }

    @Test func `where the switch says so, the later of two updates of one second is shown`() throws {
        var phone = launchedPhone { $0.appliesEqualTimestamp = true }
        _ = try phone.start()
        _ = try phone.change("update", stamped: 60, arriving: 60, score: "1-0")
        #expect(try phone.change("update", stamped: 60, arriving: 60, score: "2-0").reason == nil)
        #expect(phone.score == "2-0")
    }

    @Test func `where the switch says so, an end with an older time is ignored`() throws {
        var phone = launchedPhone { $0.appliesOlderEnd = false }
        _ = try phone.start()
        _ = try phone.change("update", stamped: 60, arriving: 60)
        #expect(try phone.change("end", stamped: 59, arriving: 100).reason == .olderTimestamp)
        #expect(phone.cards.first?.phase == .active)
    }

    @Test func `local updates and pushes share one order`() throws {
        var phone = launchedPhone()
        let id = try phone.requestLocally()
        #expect(phone.update(card: id, to: CardContent(state: ["score": "local"]), now: at(60)) == nil)
        #expect(try phone.change("update", stamped: 60, arriving: 61).reason == .olderTimestamp)
        #expect(try phone.change("update", stamped: 70, arriving: 71, score: "pushed").reason == nil)
        let late = phone.update(
            card: id, to: CardContent(state: ["score": "late"]), timestamp: at(65), now: at(72))
        #expect(late == .olderTimestamp)
        #expect(phone.score == "pushed")
        #expect(phone.faults.total == 0, "an app that names the moment leaves the order to the phone")
        phone.change(settings: PhoneSettings(clockSkew: -30), now: at(72))
        #expect(phone.update(card: id, to: CardContent(state: ["score": "now"]), now: at(73)) == .olderTimestamp)
        #expect(phone.faults.total == 1)
    }

    @Test func `a push in the second of a local request is shown, unless requests count as updates`() throws {
        for counts in [false, true] {
            var phone = launchedPhone { $0.requestHasTimestamp = counts }
            _ = try phone.requestLocally(at: 0.5)
            let effect = try phone.change("update", stamped: 0, arriving: 0.9)
            #expect(effect.reason == (counts ? .olderTimestamp : nil))
        }
    }

    @Test func `an end with an older time brings no old content back, unless the switch says so`() throws {
        for shows in [false, true] {
            var phone = launchedPhone { $0.olderEndShowsContent = shows }
            _ = try phone.start()
            _ = try phone.change("update", stamped: 60, arriving: 60, score: "1-0")
            _ = try phone.change("end", stamped: 59, arriving: 100, score: "0-1")
            #expect(phone.cards.first?.phase == .ended)
            #expect(phone.score == (shows ? "0-1" : "1-0"))
            #expect(phone.cards.first?.timestamp == at(60))
        }
    }

    @Test func `where the switch says so, a local update without a timestamp stands outside the order`() throws {
        var phone = launchedPhone { $0.localChangeHasTimestamp = false }
        let id = try phone.requestLocally()
        #expect(try phone.change("update", stamped: 60, arriving: 60, score: "pushed").reason == nil)
        let content = CardContent(state: ["score": "local"])
        #expect(phone.update(card: id, to: content, now: at(50)) == nil)
        #expect(phone.score == "local")
        #expect(try phone.change("update", stamped: 61, arriving: 70, score: "pushed").reason == nil)
        #expect(phone.end(card: id, content: nil, dismissal: .standard, now: at(71)) == nil)
        #expect(phone.cards.first?.timestamp == at(61))
    }

    @Test func `where the switch says so, a timestamp can be too long ago though nothing newer is shown`() throws {
        var phone = launchedPhone { $0.pushMaximumAge = 300 }
        #expect(
            phone.receive(push(try required(phone.startToken), payload("start", at: -301)), now: at(0)).reason
                == .longPast)
        #expect(try phone.start().reason == nil)
        #expect(try phone.change("update", stamped: 99, arriving: 400).reason == .longPast)
        #expect(try phone.change("update", stamped: 100, arriving: 400).reason == nil)
        #expect(try phone.change("end", stamped: 101, arriving: 1_000).reason == nil)
        phone = launchedPhone {
            $0.pushMaximumAge = 300
            $0.appliesOlderEnd = false
        }
        _ = try phone.start()
        #expect(try phone.change("end", stamped: 99, arriving: 400).reason == .longPast)
        phone = launchedPhone()
        #expect(
            phone.receive(push(try required(phone.startToken), payload("start", at: -9 * hour)), now: at(0)).card != nil
        )
    }

    @Test func `a phone whose clock is behind takes a push of now for one of the future`() throws {
        var phone = launchedPhone(settings: PhoneSettings(clockSkew: -9 * hour))
        #expect(try phone.start().reason == .farFuture)
    }

    @Test func `a local update of a phone whose clock is ahead hides pushes`() throws {
        var phone = launchedPhone(settings: PhoneSettings(clockSkew: 600))
        let id = try phone.requestLocally()
        phone.update(card: id, to: CardContent(state: ["score": "local"]), now: at(10))
        #expect(try phone.change("update", stamped: 300, arriving: 300).reason == .olderTimestamp)
        #expect(try phone.change("update", stamped: 611, arriving: 611).reason == nil)
    }

    @Test func `after the end nothing changes`() throws {
        var phone = launchedPhone()
        _ = try phone.start()
        #expect(try phone.change("end", stamped: 60, arriving: 60, score: "4-2").card != nil)
        #expect(try phone.change("update", stamped: 61, arriving: 61).reason == .afterEnd)
        let id = try required(phone.cards.first?.id)
        #expect(phone.update(card: id, to: CardContent(state: ["score": "x"]), now: at(62)) == .afterEnd)
        #expect(phone.score == "4-2")
    }
}

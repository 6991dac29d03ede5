import APNSWire
import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct StartTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var os = IOSVersion(26)
        var extra: [(String, JSONValue)] = []
        let reason: IgnoreReason?
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "a full start is shown", reason: nil),
        Case(
            name: "localized alerts are full",
            extra: [
                (
                    "alert",
                    [
                        "title": ["loc-key": "KICK_OFF"], "body": ["loc-key": "TEAMS", "loc-args": ["Argentina"]],
                    ]
                )
            ], reason: nil),
        Case(name: "no alert", extra: [("alert", .null)], reason: .missingAlert),
        Case(name: "an alert without body", extra: [("alert", ["title": "Kick-off"])], reason: .missingAlert),
        Case(name: "a type that the app lacks", extra: [("attributes-type", "Race")], reason: .unknownType("Race")),
        Case(
            name: "attributes that do not decode", extra: [("attributes", [:])],
            reason: .decodeFailed("Unable to decode attributes of Match: home: is missing")),
        Case(
            name: "a state that does not decode", extra: [("content-state", ["goals": 1])],
            reason: .decodeFailed("Unable to decode content state: score: is missing")),
        Case(
            name: "no content state", extra: [("content-state", .null)],
            reason: .malformed("aps.content-state is missing")),
        Case(name: "no timestamp", extra: [("timestamp", .null)], reason: .malformed("aps.timestamp is missing")),
        Case(
            name: "a timestamp as text", extra: [("timestamp", "now")],
            reason: .malformed("aps.timestamp must be a number, not a string")),
        Case(
            name: "a timestamp beyond all calendars", extra: [("timestamp", .number("1e300"))],
            reason: .farFuture),
        Case(
            name: "an event that nobody knows", extra: [("event", "begin")],
            reason: .malformed("aps.event must be start, update or end")),
        Case(name: "an update to the start token", extra: [("event", "update")], reason: .wrongToken),
        Case(
            name: "a channel before iOS 18", os: IOSVersion(17, 4), extra: [("input-push-channel", "AAAA")],
            reason: .needsVersion(IOSVersion(18))),
        Case(name: "members of our own are passed over", extra: [("eyot", ["generation": 3])], reason: nil),
    ]

    @Test("A pushed start", arguments: cases)
    func start(_ example: Case) throws {
        var phone = launchedPhone(os: example.os)
        let effect = try phone.start(extra: example.extra)
        #expect(effect.reason == example.reason)
        #expect(phone.cards.count == (example.reason == nil ? 1 : 0))
        let record = try required(phone.pushes.entries.last)
        #expect(record.effect == effect)
        #expect(record.alerted == (example.reason == nil))
    }

    @Test func `bytes that are no JSON are ignored and kept in the log`() throws {
        var phone = launchedPhone()
        let token = try required(phone.startToken)
        let effect = phone.receive(push(token, Array("{\"aps\":".utf8)), now: at(0))
        #expect(effect.reason?.code == "malformed")
        let big = phone.receive(push(token, Array(repeating: 0x20, count: 4_097)), now: at(0))
        #expect(big.reason == .tooLarge)
        var alert = push(token, payload("start", at: 0))
        alert.pushType = .alert
        #expect(phone.receive(alert, now: at(0)).reason == .notLiveActivity)
        #expect(phone.pushes.total == 3)
    }

    @Test func `with Live Activities off nothing starts, and switching them off clears the screen`() throws {
        var phone = launchedPhone()
        _ = try phone.start()
        phone.change(settings: PhoneSettings(activitiesEnabled: false), now: at(1))
        #expect(phone.cards.first?.phase == .dismissed)
        #expect(try phone.start(at: 2).reason == .activitiesDisabled)
    }

    @Test func `an app has so many cards and no more`() throws {
        var phone = launchedPhone { $0.maximumCards = 2 }
        _ = try phone.start(at: 0)
        _ = try phone.start(at: 1)
        #expect(try phone.start(at: 2).reason == .tooManyCards)
        #expect(throws: CardRefusal.targetMaximumExceeded) { try phone.requestLocally(at: 3) }
        phone.dismiss(card: try required(phone.cards.first?.id), now: at(4))
        #expect(try phone.start(at: 5).reason == nil)
    }

    @Test func `a start wakes the app, and after a force-quit only where the switch says so`() throws {
        for wakes in [true, false] {
            var phone = launchedPhone { $0.wakesForceQuitApp = wakes }
            phone.terminateBySystem(now: at(1))
            _ = try phone.start(at: 2)
            #expect(phone.run == .background)
            phone.forceQuit(now: at(3))
            _ = try phone.start(at: 4)
            #expect(phone.run == (wakes ? .background : .notRunning))
            #expect(phone.cards.count == 2)
        }
    }

    struct Inputs: Sendable, CustomTestStringConvertible {
        let name: String
        var os = IOSVersion(26)
        var keys: [(String, JSONValue)] = []
        var change: @Sendable (inout PhoneRules) -> Void = { _ in }
        let updates: CardUpdates?
        var testDescription: String { name }
    }

    private static let both: [(String, JSONValue)] = [
        ("input-push-token", 1), ("input-push-channel", .string(final)),
    ]
    static let inputs = [
        Inputs(name: "without a key there is a token", updates: .token),
        Inputs(
            name: "but not where the switch wants the key", change: { $0.needsInputPushToken = true }, updates: .local),
        Inputs(
            name: "with the key there is", keys: [("input-push-token", 1)], change: { $0.needsInputPushToken = true },
            updates: .token),
        Inputs(
            name: "before iOS 18 there is no key to want", os: IOSVersion(17, 5),
            change: { $0.needsInputPushToken = true }, updates: .token),
        Inputs(name: "of both keys the channel counts", keys: both, updates: .channel(final)),
        Inputs(name: "or the token", keys: both, change: { $0.bothInputs = .token }, updates: .token),
        Inputs(name: "or nothing starts", keys: both, change: { $0.bothInputs = .noStart }, updates: nil),
        Inputs(name: "nothing starts on what is no channel", keys: [("input-push-channel", "?")], updates: nil),
        Inputs(
            name: "unless the switch says so", keys: [("input-push-channel", "?")],
            change: { $0.invalidChannelStopsStart = false }, updates: .channel("?")),
    ]

    @Test("Where updates come from", arguments: inputs)
    func readsInputs(_ example: Inputs) throws {
        var phone = launchedPhone(os: example.os, change: example.change)
        _ = try phone.start(extra: example.keys)
        #expect(phone.cards.first?.updates == example.updates)
        #expect((phone.cards.first?.updateToken != nil) == (example.updates == .token))
    }
}

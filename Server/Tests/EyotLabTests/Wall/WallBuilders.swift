import APNSWire
import EyotContract
import EyotDomain
import Foundation
import PhoneSimulator

@testable import EyotLab

/// Phones of the wall's tests: one app with matches, pushes made by hand, and declarations as the server reports them.
enum WallBuilder {
    static let bundleID = "app.eyot.lab"
    static let attributes: JSONValue = ["eyotActivityName": "final", "home": "Argentina", "away": "France"]

    static func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

    static func state(_ home: JSONValue, _ away: JSONValue = 0) -> JSONValue {
        ["homeScore": home, "awayScore": away, "clock": "23'"]
    }

    /// A phone with an open app, which decodes states with a whole number as `homeScore`.
    static func phone(_ id: String = "phone-1", allowed: PhoneSettings.Answer = .automatically) -> PhoneState {
        let check = PayloadCheck(
            type: "MatchAttributes", attributes: { _ in nil },
            contentState: { state in
                state.object?["homeScore"]?.integer == nil ? "contentState.homeScore: does not decode as Int" : nil
            })
        var phone = PhoneState(
            PhoneConfiguration(
                id: id, os: IOSVersion(26), bundleID: bundleID, environment: .sandbox, seed: 1, types: [check],
                settings: PhoneSettings(allowed: allowed)))
        phone.launch(now: at(0))
        return phone
    }

    /// The app starts a card.
    static func start(_ phone: inout PhoneState, _ state: JSONValue, attributes: JSONValue = attributes) throws {
        _ = try phone.request(
            CardRequest(
                type: "MatchAttributes", attributes: attributes, content: CardContent(state: state), updates: .token),
            now: at(1))
        phone.advance(to: at(2))
    }

    /// Apple delivers a push to the only card, or to the start token, with the id that Eyot gives it.
    static func push(
        _ phone: inout PhoneState, _ event: String, _ state: JSONValue, version: Int, second: Double
    ) {
        var aps = JSONObject([
            ("timestamp", .integer(Int(at(second).timeIntervalSince1970))), ("event", .string(event)),
            ("content-state", state),
        ])
        if event == "start" {
            aps["attributes-type"] = "MatchAttributes"
            aps["attributes"] = attributes
            aps["alert"] = ["title": "Kick-off", "body": "Now"]
        }
        let token = event == "start" ? phone.startToken : phone.cards.last?.updateToken
        guard let token else { return }
        let push = DeliveredPush(
            token: token, topic: bundleID + ".push-type.liveactivity",
            id: APNSID(activity: ActivityID(rawValue: 7), version: version, ordinal: 1),
            payload: (["aps": .object(aps)] as JSONValue).utf8)
        phone.receive(push, now: at(second))
    }

    static func reading(_ phone: PhoneState, name: String = "final") -> PhoneReading {
        PhoneReading(
            id: phone.configuration.id, user: "user-1", state: phone,
            names: Dictionary(uniqueKeysWithValues: phone.cards.map { ($0.id, name) }))
    }

    /// The server's report of the match.
    static func declared(
        version: Int, _ state: JSONValue, status: String = "active", newest: Int? = nil, second: Double = 5,
        after former: DeclaredActivity? = nil
    ) throws -> DeclaredActivity {
        var report = JSONObject([
            ("name", "final"), ("generation", 1), ("version", .integer(newest ?? version)),
            ("type", "MatchAttributes"), ("state", .string(status)), ("contentState", state),
            ("stateVersion", .integer(version)), ("declaredAt", .string(RFC3339.text(of: at(second)))),
        ])
        if status == "ended" { report["endedAt"] = .string(RFC3339.text(of: at(second))) }
        guard var activity = DeclaredActivity(report: .object(report)) else { throw LabError.server("no report") }
        if let former { activity.adopt(former) }
        return activity
    }

    static func wallPhone(_ phone: PhoneState, _ declared: DeclaredActivity?) -> WallPhone {
        var faces = CardFaces()
        return WallPhone(reading(phone), declared.map { [$0.name: $0] } ?? [:], &faces)
    }
}

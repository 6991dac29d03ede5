import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("What a declaration says")
struct DeclarationBodyTests {
    private static let now = Instant(second: 1_671_375_600)

    private func body(_ verb: DeclarationRequest.Verb, _ json: String) throws -> DeclarationBody {
        try DeclarationBody(json: JSONValue(parsing: json), verb: verb, name: "final")
    }

    @Test func `Every member arrives where it belongs`() throws {
        let start = try body(
            .start,
            #"{"type":"Match","attributes":{"a":1},"contentState":{"n":1.0},"alert":{"title":"t","body":"b","#
                + #""sound":"default"},"staleDate":"2022-12-18T16:00:00Z","relevanceScore":50,"priority":5,"#
                + #""audience":{"tag":"fans"},"asOf":"2022-12-18T14:59:59.5Z","endsAt":"2022-12-18T18:00:00+01:00","#
                + #""urgent":true,"alertLifetime":60,"force":true,"restartDismissed":true,"channel":true,"#
                + #""canary":{"percent":2.5,"maximumRefusals":0.1,"waitSeconds":0}}"#)
        let (request, warnings) = try start.request(at: Self.now)
        #expect(warnings == [])
        #expect(request.verb == .start)
        #expect(request.name == "final")
        #expect(request.type == "Match")
        #expect(request.attributes?.text == #"{"a":1}"#)
        #expect(request.content.state?.text == #"{"n":1.0}"#)
        #expect(request.content.alert?.body.text == #"{"title":"t","body":"b","sound":"default"}"#)
        #expect(request.content.alert?.expiresAt == Self.now + 60)
        #expect(request.content.isUrgent == true)
        #expect(request.content.staleDate == 1_671_379_200)
        #expect(request.content.relevanceScore == 50)
        #expect(request.content.priority == .considerate)
        #expect(request.audience == .tag("fans"))
        #expect(request.scope == nil)
        #expect(request.asOf == Self.now + -0.5)
        #expect(request.endsAt == .at(Self.now + 7_200))
        #expect(request.isForced)
        #expect(request.restartsDismissed)
        #expect(request.wantsChannel)
        #expect(request.canary == Canary.Terms(percent: 2.5, maximumRefusals: 0.1, waitSeconds: 0))
    }

    @Test(
        "A canary that cannot be meant is refused, by the member's name",
        arguments: [
            (#"{}"#, "canary.percent", EyotError.Code.fieldMissing),
            (#"{"percent":0}"#, "canary.percent", .fieldInvalid), (#"{"percent":51}"#, "canary.percent", .fieldInvalid),
            (#"{"percent":"5"}"#, "canary.percent", .fieldMistyped),
            (#"{"percent":5,"maximumRefusals":0.6}"#, "canary.maximumRefusals", .fieldInvalid),
            (#"{"percent":5,"waitSeconds":3601}"#, "canary.waitSeconds", .fieldInvalid),
            (#"{"percent":5,"wait":1}"#, "canary.wait", .fieldUnknown), (#"5"#, "canary", .fieldMistyped),
            (#"{"percent":5},"scope":"all""#, "canary", .fieldInvalid),
        ])
    func refusesCanaries(_ canary: String, _ field: String, _ code: EyotError.Code) {
        let error = #expect(throws: EyotError.self) {
            try body(.update, #"{"contentState":{},"canary":"# + canary + "}")
        }
        #expect(error?.field == field)
        #expect(error?.code == code)
    }

    @Test func `A canary needs no more than its share`() throws {
        let (request, _) = try body(.end, #"{"canary":{"percent":5}}"#).request(at: Self.now)
        #expect(request.canary == Canary.Terms(percent: 5, maximumRefusals: 0.02, waitSeconds: 30))
    }

    @Test func `What is not said is left to Eyot`() throws {
        let (request, _) = try body(.update, #"{"contentState":{},"alert":{"body":"b"},"scope":"all"}"#)
            .request(at: Self.now)
        #expect(request.content.alert?.expiresAt == Self.now + Alert.defaultLifetime)
        #expect(request.content.isUrgent == false)
        #expect(request.content.priority == nil)
        #expect(request.scope == .all)
        #expect(request.audience == nil)
        #expect(!request.isForced)
    }

    @Test func `An end needs nothing, and a declaration without an audience no alert`() throws {
        #expect(try body(.end, "{}").request(at: Self.now).request.content.state == nil)
        #expect(try body(.put, #"{"contentState":{}}"#).request(at: Self.now).request.audience == nil)
    }

    @Test func `Localised alerts are taken as Apple writes them`() throws {
        let alert = #"{"title":{"loc-key":"GOAL","loc-args":["Messi"]},"body":{"loc-key":"B"}}"#
        let json =
            #"{"type":"M","attributes":{},"contentState":{},"audience":"all","alert":\#(alert)}"#
        #expect(try body(.start, json).alert?.text == alert)
    }

    @Test(
        "Dates are taken to their limits and not beyond",
        arguments: [
            (DeclarationRequest.Verb.update, "staleDate", 100 * 366 * 86_400, true),
            (.update, "endsAt", DeclarationBody.planLead, true),
            (.update, "endsAt", DeclarationBody.planLead + 1, false),
            (.update, "endsAt", 1, true), (.update, "endsAt", 0, false),
            (.put, "startsAt", DeclarationBody.planLead, true), (.put, "startsAt", 0, false),
            (.put, "startsAt", DeclarationBody.planLead + 1, false),
            (.update, "asOf", DeclarationBody.asOfLead, true), (.update, "asOf", DeclarationBody.asOfLead + 1, false),
            (.end, "dismissalDate", 100 * 366 * 86_400, true),
        ])
    func dates(_ verb: DeclarationRequest.Verb, _ field: String, _ lead: Double, _ isTaken: Bool) throws {
        let start =
            verb == .put ? #""type":"M","attributes":{},"audience":"all","alert":{"title":"t","body":"b"},"# : ""
        let body = try body(verb, #"{\#(start)"contentState":{},"\#(field)":"\#((Self.now + lead).rfc3339)"}"#)
        if isTaken {
            _ = try body.request(at: Self.now)
        } else {
            let error = #expect(throws: EyotError.self) { try body.request(at: Self.now) }
            #expect(error?.code == .dateOutOfRange)
            #expect(error?.field == field)
        }
    }

    @Test(
        "A date that no card lives to see is taken with a warning",
        arguments: [
            (DeclarationRequest.Verb.update, #""staleDate":"2022-12-18T23:00:01Z""#, "staleDate"),
            (.update, #""staleDate":"9999-12-31T23:59:59Z""#, "staleDate"),
            (.update, #""staleAfter":28801"#, "staleAfter"), (.update, #""staleAfter":31622401"#, "staleAfter"),
            (.update, #""endsAt":"2022-12-18T23:00:01Z""#, "endsAt"),
            (.end, #""dismissalDate":"2099-01-01T00:00:00Z""#, "dismissalDate"),
        ])
    func farDates(_ verb: DeclarationRequest.Verb, _ member: String, _ name: String) throws {
        let (_, warnings) = try body(verb, #"{"contentState":{},\#(member)}"#).request(at: Self.now)
        #expect(warnings.count == 1 && warnings.allSatisfy { $0.hasPrefix("\(name) is more than ") }, "\(warnings)")
        for near in [
            #""staleDate":"2022-12-18T23:00:00Z""#, #""staleAfter":28800"#, #""endsAt":"2022-12-18T23:00:00Z""#,
        ] {
            #expect(try body(.update, #"{"contentState":{},\#(near)}"#).request(at: Self.now).warnings == [])
        }
    }

    @Test func `A planned end is lifted by a word and comes after the planned start`() throws {
        let update = try body(.update, #"{"contentState":{},"endsAt":"never"}"#)
        #expect(try update.request(at: Self.now).request.endsAt == .never)
        let start = #""type":"M","attributes":{},"contentState":{},"alert":{"title":"t","body":"b"},"audience":"all""#
        let plan = try body(
            .start, #"{\#(start),"startsAt":"2022-12-18T16:00:00Z","endsAt":"2022-12-18T16:00:00Z"}"#)
        let error = #expect(throws: EyotError.self) { try plan.request(at: Self.now) }
        #expect(error?.field == "endsAt")
    }

    @Test(arguments: [
        #"{"contentState":{},"endsAt":"2022-12-18T16:00:00Z","scope":"all"}"#,
        #"{"contentState":{},"startsAt":"2022-12-18T16:00:00Z"}"#,
    ])
    func `Plans are for a whole activity, and a planned start is for somebody`(json: String) throws {
        let error = #expect(throws: EyotError.self) { try body(.put, json) }
        #expect(error?.code == .fieldInvalid)
    }

    @Test func `A late dismissal and a stale date on an end are taken with a warning`() throws {
        let body = try body(
            .end, #"{"dismissalDate":"2022-12-18T19:00:01Z","staleDate":"2022-12-18T16:00:00Z"}"#)
        #expect(try body.request(at: Self.now).warnings.count == 2)
    }

    // MARK: Sizes

    @Test func `A start is measured as it will be sent`() throws {
        let frame = LiveActivityPayload(
            event: .start, contentState: ["a": ""], attributesType: "M", attributes: [:],
            alert: ["title": "t", "body": "b"], staleDate: 1_700_000_000, inputPushToken: true
        ).render().body.count
        func check(_ count: Int) throws -> [String] {
            let json =
                #"{"type":"M","attributes":{},"contentState":{"a":"\#(String(repeating: "x", count: count))"},"#
                + #""audience":"all","alert":{"title":"t","body":"b"}}"#
            let (request, _) = try body(.start, json).request(at: Self.now)
            return try PayloadSize(request, activity: nil, current: nil).check()
        }
        #expect(try check(APNSLimits.payloadBytes - frame) == [])
        let error = #expect(throws: EyotError.self) { try check(APNSLimits.payloadBytes - frame + 1) }
        #expect(error?.code == .payloadTooLarge)
        #expect(error?.field == "contentState")
    }

    @Test func `An end's alert has to fit beside the last state`() throws {
        var activity = Activity(
            id: ActivityID(rawValue: 1), app: AppID(rawValue: 1), name: "final", generation: 1, type: "M",
            createdAt: Self.now)
        let state: JSONValue = ["a": .string(String(repeating: "x", count: 3_900))]
        let current = activity.declare(.state, Content(state: state), at: Self.now)
        let alert = #"{"alert":{"title":"t","body":"\#(String(repeating: "y", count: 200))"}}"#
        let (request, _) = try body(.end, alert).request(at: Self.now)
        let error = #expect(throws: EyotError.self) {
            try PayloadSize(request, activity: activity, current: current).check()
        }
        #expect(error?.field == "alert")
        _ = try PayloadSize(request, activity: nil, current: nil).check()
    }
}

import APNSWire
import EyotContract
import Testing

@Suite("A Live Activity payload")
struct LiveActivityPayloadTests {
    private func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }

    @Test func `an update has what Apple's table names, in a steady order`() throws {
        let payload = LiveActivityPayload(
            event: .update, contentState: try JSONValue(parsing: #"{"z":2.50,"a":[1e3]}"#),
            alert: ["title": "Goal"], staleDate: 1_700_000_100, relevanceScore: 75)
        #expect(
            text(payload.render().body) == #"{"aps":{"timestamp":0000000000,"event":"update","#
                + #""content-state":{"z":2.50,"a":[1e3]},"alert":{"title":"Goal"},"stale-date":1700000100,"#
                + #""relevance-score":75.0}}"#)
    }

    @Test func `a start names type and attributes and asks for a token`() {
        let payload = LiveActivityPayload(
            event: .start, contentState: ["score": 0], attributesType: "MatchAttributes", attributes: [:],
            alert: ["title": "Kick-off", "body": "Now"], inputPushToken: true)
        #expect(
            text(payload.render().body) == #"{"aps":{"timestamp":0000000000,"event":"start","#
                + #""content-state":{"score":0},"attributes-type":"MatchAttributes","attributes":{},"#
                + #""alert":{"title":"Kick-off","body":"Now"},"input-push-token":1}}"#)
    }

    @Test func `an end may be bare`() {
        #expect(
            text(LiveActivityPayload(event: .end, dismissalDate: 5).render().body)
                == #"{"aps":{"timestamp":0000000000,"event":"end","dismissal-date":5}}"#)
    }

    @Test("the offset is where the ten digits stand", arguments: LiveActivityEvent.allCases)
    func offset(event: LiveActivityEvent) throws {
        let payload = LiveActivityPayload(
            event: event, contentState: ["timestamp": 1, "text": "\"timestamp\":0000000000"], attributesType: "T",
            attributes: ["a": 1], alert: ["title": "t"], staleDate: 1, dismissalDate: 2, relevanceScore: 1.5,
            inputPushToken: true)
        var (body, offset) = payload.render()
        let digits = Array("1671375600".utf8)
        #expect(digits.count == LiveActivityPayload.timestampDigits)
        #expect(body[offset..<offset + 10].allSatisfy { $0 == UInt8(ascii: "0") })
        body.replaceSubrange(offset..<offset + 10, with: digits)
        let aps = try #require(try JSONValue(parsing: body).object?["aps"]?.object)
        #expect(aps["timestamp"] == 1_671_375_600)
        #expect(aps["event"] == .string(event.rawValue))
        #expect(aps["content-state"] == payload.contentState)
        #expect(Set(aps.members.map(\.name)).count == 10)
    }

    /// JSON has no literal for it, and a body that does not parse would be refused for every phone.
    @Test func `a relevance that is no number is left out`() throws {
        for score in [Double.infinity, -.infinity, .nan] {
            var (body, offset) = LiveActivityPayload(event: .update, relevanceScore: score).render()
            body[offset] = UInt8(ascii: "1")
            #expect(try JSONValue(parsing: body).object?["aps"]?.object?["relevance-score"] == nil)
        }
    }
}

@Suite("Apple's vocabulary")
struct APNSVocabularyTests {
    @Test func `each push type has its topic`() {
        let suffixes: [APNSPushType: String] = [
            .liveActivity: "a.b.push-type.liveactivity", .controls: "a.b.push-type.controls",
            .widgets: "a.b.push-type.widgets", .voip: "a.b.voip", .pushToTalk: "a.b.voip-ptt",
            .location: "a.b.location-query", .fileprovider: "a.b.pushkit.fileprovider",
            .complication: "a.b.complication", .alert: "a.b", .background: "a.b", .mdm: "a.b",
        ]
        #expect(suffixes.count == APNSPushType.allCases.count)
        for (type, topic) in suffixes { #expect(type.topic(bundleID: "a.b") == topic) }
    }

    @Test func `raw values are those on the wire`() {
        #expect(
            Set(APNSPushType.allCases.map(\.rawValue)) == [
                "alert", "background", "complication", "controls", "fileprovider", "liveactivity", "location", "mdm",
                "pushtotalk", "voip", "widgets",
            ])
        #expect(APNSPriority.allCases.map(\.rawValue) == [1, 5, 10])
        #expect(LiveActivityEvent.allCases.map(\.rawValue) == ["start", "update", "end"])
    }
}

import APNSWire
import EyotContract
import Testing

struct PayloadReviewTests {
    private static let now = 1_671_375_600.0
    private static let start = #"""
        {"aps":{"timestamp":1671375600,"event":"start","content-state":{"score":0},"attributes-type":"Match","attributes":{"home":"A"},
        "alert":{"title":"T","body":{"loc-key":"B"}}}}
        """#

    private func review(_ text: String, schema: ActivitySchema? = nil) -> PayloadReview {
        PayloadReview(of: Array(text.utf8), schema: schema, now: Self.now)
    }

    @Test(
        "a payload that phones show has no problem",
        arguments: [
            start, #"{"aps":{"timestamp":1671375600,"event":"update","content-state":{}},"own":1}"#,
            #"{"aps":{"timestamp":1671375600,"event":"end","dismissal-date":1671375700,"input-push-token":1}}"#,
        ])
    func good(_ text: String) {
        #expect(review(text).isGood && review(text).remarks == [])
    }

    @Test(
        "what phones drop is told, and where",
        arguments: [
            (#"{"aps": {"timestamp": 1, "event": "start",}}"#, "the payload is not JSON"),
            ("[]", "the payload must be an object"), (#"{"aps":1}"#, "aps must be an object"),
            (#"{"aps":{"timestamp":1671375600,"event":"begin"}}"#, "aps.event must be one of start, update, end"),
            (#"{"aps":{"event":"end"}}"#, "aps.timestamp must be a number"),
            (#"{"aps":{"timestamp":1671375600000,"event":"end"}}"#, "aps.timestamp is in milliseconds"),
            (#"{"aps":{"timestamp":1671475600,"event":"end"}}"#, "more than eight hours ahead"),
            (#"{"aps":{"timestamp":1671375600,"event":"update"}}"#, "aps.content-state is missing"),
            (#"{"aps":{"timestamp":1671375600,"event":"end","content-state":[]}}"#, "must be an object, not an array"),
            (#"{"aps":{"timestamp":1671375600,"event":"end","stale-date":"soon"}}"#, "aps.stale-date must be a number"),
            (
                #"{"aps":{"timestamp":1671375600,"event":"end","input-push-token":true}}"#,
                "aps.input-push-token must be 1"
            ),
        ])
    func problem(_ text: String, _ words: String) {
        #expect(review(text).problems.count == 1)
        #expect(review(text).problems.first?.contains(words) == true, "\(review(text).problems)")
    }

    @Test func `a date in the wrong unit and a member that the type lacks are remarks, and no problem`() throws {
        let schema = try ActivitySchema(
            json: JSONValue(
                parsing: #"""
                    {"title":"Timer","attributes":{"type":"object"},"contentState":{"type":"object",
                    "properties":{"until":{"type":"number","swift":"Date"}},"required":["until"]}}
                    """#))
        let state = #"{"until":1671375660,"unitl":1}"#
        let payload = #"{"aps":{"timestamp":1671375600,"event":"update","content-state":\#(state)}}"#
        let found = review(payload, schema: schema)
        #expect(found.isGood)
        let remarks = schema.remarks(onContentState: try JSONValue(parsing: state), at: Self.now)
        #expect(remarks.count == 2 && found.remarks.count == 2)
        for (remark, told) in zip(remarks, found.remarks) { #expect("\(remark)".hasPrefix(told), "\(told)") }
        #expect(review(payload).remarks == [])
    }

    @Test func `a start needs its type, attributes and an alert with title and body`() {
        let problems = review(
            #"{"aps":{"timestamp":1671375600,"event":"start","content-state":{},"alert":{"title":"T"}}}"#
        )
        .problems
        #expect(
            problems == [
                "a start needs aps.attributes-type, the name of the Swift type", "aps.attributes is missing",
                "a start needs an alert: aps.alert lacks body",
            ])
    }

    @Test func `what is too large is told`() {
        let long = String(repeating: "x", count: 4_096)
        let text = #"{"aps":{"timestamp":1671375600,"event":"update","content-state":{"a":"\#(long)"}}}"#
        #expect(review(text).problems.count == 2)
    }

    @Test func `a member that is misspelt is remarked upon`() {
        let text = #"{"aps":{"timestamp":1671375600,"event":"end","state-date":1,"mine":2},"content-state":{}}"#
        #expect(review(text).isGood)
        #expect(
            review(text).remarks == [
                "Apple names no member aps.state-date; is stale-date meant?", "Apple names no member aps.mine",
                "content-state stands beside aps, where phones do not look for it",
            ])
    }

    @Test func `a schema says what the app cannot decode`() throws {
        let schema = ActivitySchema(
            type: "Match", attributes: .object(ObjectShape()),
            contentState: .object(ObjectShape([.init("score", .number(.int))])))
        #expect(review(Self.start, schema: schema).isGood)
        let half = Self.start.replacing(#""score":0"#, with: #""score":0.5"#)
        #expect(
            review(half, schema: schema).problems
                == ["the app cannot decode it: content-state.score: 0.5 does not decode as Int"])
        let other = Self.start.replacing(#""Match""#, with: #""Game""#)
        #expect(
            review(other, schema: schema).problems == ["aps.attributes-type is Game, and the schema is that of Match"])
    }

    @Test func `of other pushes only the form is looked at`() {
        #expect(PayloadReview(of: Array(#"{"aps":{}}"#.utf8), type: .alert, now: 0).isGood)
        #expect(!PayloadReview(of: Array("{}".utf8), type: .alert, now: 0).isGood)
    }
}

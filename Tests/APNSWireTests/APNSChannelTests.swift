import APNSWire
import EyotContract
import Testing

@Suite("A channel's id")
struct APNSChannelIDTests {
    @Test("is some bytes in base64", arguments: ["dHN0LXNyY2gtY2hubA==", "AAAA", "+/8=", "aGVsbG8gd29ybGQh"])
    func takes(text: String) throws {
        #expect(try #require(APNSChannelID(text)).text == text)
    }

    @Test(
        "refuses other texts",
        arguments: [
            "", "=", "====", "A===", "AAA", "AA=A", "AAAA\r\nx: y", "AAA-", "AAA_", "é234", " AAA",
            String(repeating: "A", count: 260),
        ])
    func refuses(text: String) {
        #expect(APNSChannelID(text) == nil)
    }
}

@Suite("Words about channels")
struct APNSChannelWordTests {
    @Test func `paths and bodies are as Apple prints them`() {
        #expect(APNSPath.broadcasts(bundleID: "a.b") == "/4/broadcasts/apps/a.b")
        #expect(APNSPath.channels(bundleID: "a.b") == "/1/apps/a.b/channels")
        #expect(APNSPath.allChannels(bundleID: "a.b") == "/1/apps/a.b/all-channels")
        #expect(
            APNSChannelDescription(storage: .mostRecent).json
                == ["message-storage-policy": 1, "push-type": "LiveActivity"])
    }

    @Test func `a start can subscribe its card to a channel`() throws {
        let channel = try #require(APNSChannelID("dHN0LXNyY2gtY2hubA=="))
        let payload = LiveActivityPayload(event: .start, inputPushChannel: channel)
        let text = String(decoding: payload.render().body, as: UTF8.self)
        #expect(
            text
                == #"{"aps":{"timestamp":0000000000,"event":"start","input-push-channel":"dHN0LXNyY2gtY2hubA=="}}"#)
    }

    @Test func `what is wrong with channels alone leaves pushes to tokens alone`() {
        #expect(APNSReason.featureNotEnabled.action == .pauseChannels)
        #expect(APNSReason.allCases.filter { $0.action == .pauseChannels } == [.featureNotEnabled])
    }
}

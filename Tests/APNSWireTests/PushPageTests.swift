import APNSWire
import EyotContract
import Testing

@Suite("An apns-id")
struct APNSIDTests {
    @Test func `is written as a lower-case UUID and read in either case`() throws {
        let id = APNSID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
        let text = "01234567-89ab-cdef-fedc-ba9876543210"
        #expect(id.description == text)
        #expect(APNSID(text) == id)
        #expect(APNSID(text.uppercased()) == id)
        #expect(APNSID("00000000-0000-0000-0000-000000000000") == APNSID(high: 0, low: 0))
        #expect(APNSID(high: .max, low: .max).description == "ffffffff-ffff-ffff-ffff-ffffffffffff")
    }

    @Test(
        "refuses other texts",
        arguments: [
            "", "01234567", "0123456789abcdeffedcba9876543210", "01234567-89ab-cdef-fedc-ba987654321",
            "01234567-89ab-cdef-fedc-ba98765432100", "01234567-89ab-cdef-fedcb-a9876543210",
            "0123456g-89ab-cdef-fedc-ba9876543210", "{01234567-89ab-cdef-fedc-ba9876543210}",
            "01234567-89ab-cdef-fedc-ba9876543210-", "-01234567-89ab-cdef-fedc-ba9876543210",
        ])
    func refuses(text: String) {
        #expect(APNSID(text) == nil)
    }
}

@Suite("A page")
struct PushPageTests {
    private let template = PushTemplate(topic: "a.b.push-type.liveactivity", priority: .immediate, body: [1])

    @Test func `gives each slot its token, template and id back`() throws {
        var page = PushPage(environment: .sandbox, templates: [template])
        var second = template
        second.priority = .considerate
        let index = page.add(second)
        #expect(index == 1)
        let tokens = try [1, 80, 200, 32].map { length in
            try #require(PushToken(bytes: Array(repeating: UInt8(length), count: length)))
        }
        for (slot, token) in tokens.enumerated() {
            page.append(token: token, template: UInt16(slot % 2), id: APNSID(high: 0, low: UInt64(slot)))
        }
        #expect(page.count == 4)
        #expect(page.tokenBytes.count == 313)
        for (slot, token) in tokens.enumerated() {
            #expect(Array(page.token(at: slot)) == token.bytes)
            #expect(page.template(at: slot).priority == (slot % 2 == 0 ? .immediate : .considerate))
            #expect(page.ids[slot].low == UInt64(slot))
        }
    }

    @Test func `of broadcasts has the channels' ids in the place of tokens`() throws {
        var page = PushPage(environment: .sandbox, recipients: .channels, templates: [template])
        let channel = try #require(APNSChannelID("dHN0LXNyY2gtY2hubA=="))
        page.append(channel: channel, template: 0, id: APNSID(high: 0, low: 1))
        #expect(page.recipients == .channels)
        #expect(String(decoding: page.token(at: 0), as: UTF8.self) == channel.text)
        #expect(PushPage(environment: .sandbox).recipients == .tokens)
    }

    @Test func `takes a thousand and no more`() async throws {
        let token = try #require(PushToken(bytes: [1]))
        var page = PushPage(environment: .production, templates: [template])
        for _ in 0..<PushPage.capacity { page.append(token: token, template: 0, id: APNSID(high: 0, low: 0)) }
        #expect(page.count == 1_000)
        await #expect(processExitsWith: .failure) {
            guard let token = PushToken(bytes: [1]) else { return }
            var page = PushPage(
                environment: .production, templates: [PushTemplate(topic: "t", priority: .immediate, body: [])])
            for _ in 0...PushPage.capacity { page.append(token: token, template: 0, id: APNSID(high: 0, low: 0)) }
        }
    }
}

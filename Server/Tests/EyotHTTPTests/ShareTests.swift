import EyotCommands
import EyotDomain
import Testing

@testable import EyotHTTP

/// One holder that takes what it can get, and others beside it (R10, decision 0035).
@Suite struct `What is shared` {
    private static let mebibyte = 1_024 * 1_024
    private static let limit = 256 * mebibyte
    private static let hostile = AppID(rawValue: 1)
    private static let good = AppID(rawValue: 2)

    /// The shares, as a test holds them.
    private final class Held {
        private var shares: BodyShares

        init(limit: Int) { shares = BodyShares(limit: limit) }

        var bytes: Int { shares.held }

        func reserve(_ bytes: Int, for holder: BodyHolder) -> Bool { shares.reserve(bytes, for: holder) }

        func release(_ bytes: Int, of holder: BodyHolder) { shares.release(bytes, of: holder) }

        /// Holds as many bytes as the shares allow.
        @discardableResult
        func fill(by holder: BodyHolder, in pieces: Int = 256 * 1_024) -> Int {
            var bytes = 0
            while reserve(pieces, for: holder) { bytes += pieces }
            return bytes
        }
    }

    @Test func `One address with a public key keeps no large call away, and no other phone`() {
        let shares = Held(limit: Self.limit)
        let held = shares.fill(by: .phone(Self.hostile, network: "203.0.113.7"))
        #expect(held == Self.limit / 8)
        // The largest requests of two backends, the app's other phones, another app's, and a form of the panel.
        for app in [Self.hostile, Self.good, nil] {
            #expect(shares.reserve(16 * Self.mebibyte, for: .control(app)))
        }
        #expect(shares.reserve(256 * 1_024, for: .phone(Self.hostile, network: "203.0.113.8")))
        #expect(shares.reserve(256 * 1_024, for: .phone(Self.good, network: "203.0.113.7")))
        #expect(shares.reserve(2 * Self.mebibyte, for: .open(network: "203.0.113.7")))
    }

    @Test func `However many addresses and apps fill the phones' part, the control plane has a half`() {
        let shares = Held(limit: Self.limit)
        for app in 1...50 {
            for network in 1...20 {
                shares.fill(by: .phone(AppID(rawValue: Int64(app)), network: "\(network)"), in: 8_192)
            }
        }
        #expect(shares.bytes <= Self.limit / 2)
        #expect(shares.bytes > Self.limit / 3)
        for network in 1...50 { shares.fill(by: .open(network: "\(network)"), in: 8_192) }
        #expect(shares.bytes <= Self.limit * 3 / 4)
        #expect(shares.reserve(16 * Self.mebibyte, for: .control(Self.good)))
        // Of an app's phones a further network has room for a report.
        #expect(shares.reserve(2_048, for: .phone(AppID(rawValue: 99), network: "new")))
    }

    @Test func `One backend leaves as much as it holds`() {
        let shares = Held(limit: Self.limit)
        #expect(shares.fill(by: .control(Self.hostile)) == Self.limit / 2)
        #expect(shares.fill(by: .control(Self.good)) == Self.limit / 4)
        #expect(shares.reserve(4_096, for: .phone(Self.good, network: nil)))
    }

    @Test func `What is released can be held again, and what is refused holds nothing`() {
        let shares = Held(limit: 1_000)
        let phone = BodyHolder.phone(Self.good, network: "a")
        for _ in 1...3 {
            let held = shares.fill(by: phone, in: 1)
            #expect(held == 125)
            #expect(!shares.reserve(1, for: phone))
            #expect(shares.bytes == held)
            shares.release(held, of: phone)
            #expect(shares.bytes == 0)
        }
        let unlimited = Held(limit: 0)
        #expect(unlimited.reserve(.max / 2, for: phone))
    }

    @Test func `The largest request fits into the smallest limit`() {
        let shares = Held(limit: 32 * Self.mebibyte)
        #expect(shares.reserve(16 * Self.mebibyte, for: .control(Self.good)))
    }

    // MARK: Streams of events

    private func follow(_ feed: EventFeed, _ app: AppID) -> AsyncStream<EventFeed.Item>? {
        guard case .following(let items) = feed.follow(app, EventQuery(), after: 0, at: Rig.start) else { return nil }
        return items
    }

    @Test func `One app follows with half of the streams, and others find room beside it`() {
        let feed = EventFeed()
        var streams: [AsyncStream<EventFeed.Item>] = []
        while let stream = follow(feed, Self.hostile) { streams.append(stream) }
        #expect(streams.count == EventFeed.followerLimit / 2)
        #expect(!feed.hasRoom(for: Self.hostile))
        for app in 2...6 {
            let app = AppID(rawValue: Int64(app))
            #expect(feed.hasRoom(for: app))
            while let stream = follow(feed, app) { streams.append(stream) }
        }
        #expect(feed.hasRoom(for: Self.good) == false && feed.hasRoom(for: AppID(rawValue: 7)))
        #expect(feed.count < EventFeed.followerLimit)
    }

    @Test func `A call for a stream beyond the share is refused, and another app's is answered`() async throws {
        try await Rig.run { rig in
            let feed = rig.feed
            let app = try await rig.store.read { try $0.app(bundleID: "org.example.match") }
            let hostile = try #require(app).id
            var streams: [AsyncStream<EventFeed.Item>] = []
            while let stream = follow(feed, hostile) { streams.append(stream) }
            let accept = ["Accept": "text/event-stream"]
            let refused = try await rig.call(.get, "/v1/events", headers: accept)
            #expect((refused.status, refused.code) == (503, "unavailable"), "\(refused.text)")
            #expect(feed.hasRoom(for: AppID(rawValue: hostile.rawValue + 1)))
            // The list of events needs no stream.
            #expect(try await rig.call(.get, "/v1/events").status == 200)
            withExtendedLifetime(streams) {}
        }
    }
}

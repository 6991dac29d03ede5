import EyotDomain
import Testing

@Suite("Webhooks: what is decided")
struct WebhookTests {
    // MARK: When

    @Test func `A message is tried ten times, with the pauses that Standard Webhooks recommends`() {
        let pauses = (1...10).map { WebhookSchedule.pause(afterAttempt: $0, chance: 0) }
        #expect(pauses == [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, nil])
        #expect(WebhookSchedule.attempts == 10)
    }

    @Test func `Messages that failed together are not tried together`() throws {
        let late = try #require(WebhookSchedule.pause(afterAttempt: 2, chance: 0.999))
        #expect(late > 329 && late <= 330)
    }

    @Test func `After its last try a delivery is a dead letter, and a retry gives it a new schedule`() {
        let start = Instant(second: 1_000)
        var delivery = WebhookDelivery(webhook: WebhookID(rawValue: 1), event: 7, activity: nil, dueAt: start)
        var now = start
        for attempt in 1...10 {
            #expect(delivery.deadAt == nil && delivery.dueAt <= now, "before try \(attempt)")
            delivery.begin(at: now)
            #expect(delivery.dueAt == now + WebhookDelivery.lease && delivery.claim == attempt)
            delivery.fail(with: .status(500), at: now, chance: 0)
            #expect(delivery.failure?.answer == .status(500))
            now = max(now, delivery.dueAt)
        }
        #expect(delivery.deadAt == now && now.seconds(since: start) == 272_105)
        delivery.revive(at: now + 5)
        #expect(delivery.deadAt == nil && delivery.dueAt == now + 5 && delivery.attempts == 0)
    }

    @Test(
        "Only 2xx is a success, and only 410 wants no more",
        arguments: [
            (WebhookAnswer.status(200), WebhookAnswer.Verdict.delivered), (.status(204), .delivered),
            (.status(299), .delivered), (.status(199), .failed), (.status(301), .failed), (.status(307), .failed),
            (.status(404), .failed), (.status(410), .gone), (.status(429), .failed), (.status(500), .failed),
            (.failed(.timedOut), .failed), (.failed(.addressRefused), .failed),
        ])
    func judges(_ answer: WebhookAnswer, _ verdict: WebhookAnswer.Verdict) { #expect(answer.verdict == verdict) }

    // MARK: Where

    private static func bytes(_ text: String) -> [UInt8] {
        if !text.contains(":") { return text.split(separator: ".").compactMap { UInt8($0) } }
        let halves = text.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false).map { half in
            half.split(separator: ":").flatMap { group -> [UInt8] in
                let value = UInt16(group, radix: 16) ?? 0
                return [UInt8(value >> 8), UInt8(value & 255)]
            }
        }
        let tail = halves.count > 1 ? halves[1] : []
        return halves[0] + [UInt8](repeating: 0, count: 16 - halves[0].count - tail.count) + tail
    }

    @Test(
        "Nothing is sent to private, special or metadata addresses, in whatever form they come",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254", "169.254.169.254",
            "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1",
            "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
            "::", "::1", "::7f00:1", "::ffff:7f00:1", "::ffff:a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::7f00:1", "100::1", "2001::1", "2001:db8::1", "2001:10::1", "2002:7f00:1::1",
            "2002:808:808::1", "3fff::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "4000::1",
        ])
    func refuses(_ text: String) { #expect(!PublicAddress.contains(Self.bytes(text)), "\(text)") }

    @Test(
        "Public addresses are sent to",
        arguments: [
            "1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1",
            "198.17.0.1", "198.20.0.1", "223.255.255.255", "::ffff:808:808", "64:ff9b::808:808", "2001:4860:4860::8888",
            "2001:200::1", "2606:4700::1111", "2a00:1450::1",
        ])
    func permits(_ text: String) { #expect(PublicAddress.contains(Self.bytes(text)), "\(text)") }

    @Test func `Bytes that are no address are refused`() {
        for count in [0, 3, 5, 15, 17] {
            #expect(!PublicAddress.contains([UInt8](repeating: 8, count: count)))
        }
    }

    @Test(
        "A URL is kept in one form",
        arguments: [
            ("https://example.org", "https://example.org/", "example.org", 443),
            ("HTTPS://Example.ORG/Hook?a=B", "https://example.org/Hook?a=B", "example.org", 443),
            ("https://example.org:8443/x%20y", "https://example.org:8443/x%20y", "example.org", 8_443),
            ("http://10.0.0.1/", "http://10.0.0.1/", "10.0.0.1", 80),
            ("https://[2A00:1450::1]:443/", "https://[2a00:1450::1]:443/", "2a00:1450::1", 443),
            ("https://ex%61mple.org/", "https://example.org/", "example.org", 443),
            ("https://my_host/@me?x=@", "https://my_host/@me?x=@", "my_host", 443),
        ])
    func reads(_ text: String, _ kept: String, _ host: String, _ port: Int) throws {
        let url = try WebhookURL(text)
        #expect(url.text == kept && url.host == host && url.port == port)
        #expect(try WebhookURL(url.text) == url)
    }

    @Test(
        "A URL that could be read in two ways is refused",
        arguments: [
            "", "example.org", "ftp://example.org/", "file:///etc/passwd", "https:///x", "https://",
            "https://user@example.org/", "https://user:secret@example.org/", "https://@example.org/",
            "https://example.org/#x", "https://exa mple.org/", "https://example.org\\@evil.org/",
            "https://example.org\n.evil.org/", "https://bücher.example/",
            "https://example.org./", "https://.example.org/", "https://example..org/", "https://example.org:22/",
            "https://example.org:0/", "https://example.org:25/", "https://example.org:70000/",
            "https://[::1%25eth0]/", "https://[fe80::1", "https://example.org/\"x", "http+unix://x/y",
            "https://" + String(repeating: "a", count: 64) + ".org/",
            "https://example.org/" + String(repeating: "a", count: 2_000),
        ])
    func refusesURL(_ text: String) { #expect(throws: WebhookURL.Problem.self) { try WebhookURL(text) } }

    // MARK: What

    @Test func `A webhook that names no kinds gets what happens once, and nothing of each card`() {
        let kinds = Set(Webhook.usualTypes.flatMap(EventKind.matching))
        let expected: Set<EventKind> = [
            .operationDone, .operationSuperseded, .activityEnded, .activityHalted, .activityResumed, .activityStale,
            .appFailing, .appHalted, .appPaused, .appRecovered, .appResumed, .typeHalted, .typeResumed,
        ]
        #expect(kinds == expected)
        #expect(EventKind.matching("card.dismissed") == [.cardDismissed])
        #expect(EventKind.matching("card") == [] && EventKind.matching("nothing.*") == [])
    }
}

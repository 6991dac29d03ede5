import APNSWire
import EyotContract
import EyotDomain
import EyotServer
import Synchronization
import Testing

@testable import EyotBench

/// Stands for sender and Apple where a race is run without them. Its times are none here: only the order counts.
@Suite struct `A sink that leaves pushes without an answer` {
    private static let cards = 1_000
    private static let dead = 20
    private let track = RaceTrack(replicas: cards, dead: dead, clock: FastClock(speed: 1))

    /// A push of the newest state to each card.
    private func page() throws -> PushPage { try page(of: track) }

    private func page(of track: RaceTrack) throws -> PushPage {
        let payload = LiveActivityPayload(event: .update, contentState: ["n": .integer(track.declare())])
        let (body, offset) = payload.render()
        var page = PushPage(environment: .production)
        let template = page.add(
            PushTemplate(
                topic: "\(BenchStore.bundleID).push-type.liveactivity", priority: .immediate, body: body,
                timestampOffset: offset))
        for card in 1...Self.cards {
            let token = try #require(PushToken(bytes: BenchStore.token(card)))
            page.append(token: token, template: template, id: APNSID(high: 0x4000, low: 1 << 63 | UInt64(card)))
        }
        return page
    }

    /// What the pusher answers to a page, and what it tells before.
    private func answers(_ share: Double) async throws -> (all: PageVerdicts, early: [PageVerdicts]) {
        let sink = StallingSink(track, patience: .zero, pageTimeout: .zero)
        track.stall(share)
        let pusher = TrackedPusher(track: track, sender: sink)
        let told = Mutex<[PageVerdicts]>([])
        let key = PushCredentials(teamID: "T", keyID: "K", privateKey: Secret(""))
        let all = try await pusher.push(page(), with: key) { known in told.withLock { $0.append(known) } }
        return (all, told.withLock(\.self))
    }

    @Test func `Without stalls it has all verdicts at once, and dead tokens are refused`() async throws {
        let (all, early) = try await answers(0)
        #expect(early.isEmpty)
        #expect(all.open.isEmpty)
        #expect(all.verdicts.prefix(Self.cards - Self.dead).allSatisfy { $0 == .accepted })
        #expect(all.verdicts.suffix(Self.dead).allSatisfy { $0 == .refused(.expiredToken) })
        #expect(all.deadSince.count == Self.dead)
        #expect(track.hitsOfDead == Array(repeating: 1, count: Self.dead))
        let notes = track.take()
        #expect(notes.stalls == 0)
        #expect(notes.healthy.count == Self.cards - Self.dead)
    }

    @Test func `What is known is told before the page is over, and its open pushes are unknown then`() async throws {
        let (all, early) = try await answers(0.5)
        let open = try #require(early.first?.open)
        #expect(early.count == 1)
        #expect(open == all.verdicts.indices.filter { all.verdicts[$0] == .unknown })
        #expect((300...700).contains(open.count), "about a half of a thousand")
        #expect(early.first?.verdicts == all.verdicts)
        #expect(all.open.isEmpty)
        let missed = open.count { $0 < Self.cards - Self.dead }
        let first = track.take()
        #expect(first.stalls == open.count)
        #expect(first.unplanned == 0)
        #expect(
            (first.behind, first.stalled.count) == (missed, missed), "they are behind at the end, and it is counted")
        #expect(first.healthy.count == Self.cards - Self.dead - missed, "theirs did not come")
        _ = try await answers(0)
        #expect(track.take().stalled.count == missed, "they are not healthy when the next one comes")
    }

    /// Takes every push and says nothing.
    private struct Silence: Pusher {
        func push(
            _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
        ) async -> PageVerdicts { PageVerdicts(count: page.count) }
    }

    @Test func `A push without an answer that was to have one is told apart, and its card stays healthy`() async throws
    {
        let pusher = TrackedPusher(track: track, sender: Silence())
        let key = PushCredentials(teamID: "T", keyID: "K", privateKey: Secret(""))
        _ = try await pusher.push(page(), with: key, early: nil)
        let notes = track.take()
        #expect((notes.stalls, notes.unplanned) == (0, Self.cards))
        #expect((notes.healthy.count, notes.stalled.count) == (Self.cards - Self.dead, 0))
        #expect(notes.behind == Self.cards - Self.dead)
        _ = try await answers(0)
        #expect(track.take().healthy.count == Self.cards - Self.dead, "a slow machine does not hide them")
    }

    @Test func `With the sender a fifth of the pushes stalls, and what else has no answer is told apart`() async throws
    {
        let clock = FastClock(speed: 2)
        let track = RaceTrack(replicas: Self.cards, dead: 0, clock: clock)
        let apple = try await RaceApple.start(track, clock)
        track.stall(0.2)
        let key = PushCredentials(
            teamID: BenchStore.teamID, keyID: BenchStore.keyID, privateKey: Secret(apple.key.pemRepresentation))
        let pusher = TrackedPusher(track: track, sender: SenderPusher(sender: apple.sender))
        let verdicts = await pusher.push(try page(of: track), with: key, early: nil)
        let notes = track.take()
        try await apple.shutdown()
        #expect(notes.stalls + notes.unplanned == verdicts.verdicts.count { $0 == .unknown })
        // A slow machine does not get round to all of them.
        let (stalls, all) = (Double(notes.stalls), Double(Self.cards - notes.unplanned))
        #expect(all > 100 && (0.1...0.3).contains(stalls / all), "\(stalls) of \(all)")
    }

    @Test func `Where nothing is known nothing is told`() async throws {
        let (all, early) = try await answers(1)
        #expect(early.isEmpty)
        #expect(all.verdicts.allSatisfy { $0 == .unknown })
    }
}

import EyotContract
import Foundation
import Testing

@testable import EyotKit

@Suite("Small decisions")
struct DecisionTests {
    @Test func `pauses grow to a bound, and chance spreads them over half their length`() {
        #expect((1...12).map { Backoff.delay(failures: $0, chance: 0) }.prefix(4) == [0.5, 1, 2, 4])
        for failures in 1...200 {
            let (low, high) = (
                Backoff.delay(failures: failures, chance: 0), Backoff.delay(failures: failures, chance: 0.999)
            )
            #expect(low > 0 && high < Backoff.longest && high < low * 2)
        }
        #expect(Backoff.delay(failures: 200, chance: 0) == Backoff.longest / 2)
    }

    @Test func `a server can ask for a longer pause, within reason, and not for a shorter one`() {
        #expect(Backoff.delay(failures: 1, chance: 0, asked: 30) == 30)
        #expect(Backoff.delay(failures: 1, chance: 0, asked: 1e12) == Backoff.longestAsked)
        #expect(Backoff.delay(failures: 9, chance: 0, asked: 1) == 128)
        #expect(Backoff.delay(failures: 1, chance: 0, asked: -5) == 0.5)
        #expect(Backoff.delay(failures: 1, chance: 0, asked: .nan) == 0.5)
    }

    @Test(
        "a status means",
        arguments: [
            (200, .taken, .taken), (204, .taken, .taken), (400, .refused, .refused), (401, .refused, .registerAgain),
            (403, .refused, .unavailable), (404, .unavailable, .unavailable),
            (409, .installationTaken, .registerAgain), (413, .refused, .refused), (451, .refused, .unavailable),
            (511, .unavailable, .unavailable), (422, .refused, .refused), (429, .unavailable, .unavailable),
            (301, .unavailable, .unavailable), (500, .unavailable, .unavailable), (503, .unavailable, .unavailable),
        ] as [(Int, ServerVerdict, ServerVerdict)])
    func status(status: Int, register: ServerVerdict, changes: ServerVerdict) {
        #expect(ServerVerdict(status: status, of: .register) == register)
        #expect(ServerVerdict(status: status, of: .changes) == changes)
    }

    @Test func `a start token is covered until the next day's look, by a clock that was not set back`() throws {
        let token = try #require(PushToken(bytes: [1]))
        let other = try #require(PushToken(bytes: [2]))
        let now = Date(timeIntervalSince1970: 1_000_000)
        #expect(!StartTokenRecord(token: token).stillCovers(token, now: now))
        let record = StartTokenRecord(token: token, confirmed: now)
        #expect(record.stillCovers(token, now: now + 82_799))
        #expect(!record.stillCovers(token, now: now + 82_800))
        #expect(!record.stillCovers(token, now: now - 1))
        #expect(!record.stillCovers(other, now: now))
    }

    @Test func `only a card that ran can be swiped away, and not by our own end`() {
        #expect(CardStage.dismissed.event(isEndOurs: false) == .dismissed)
        #expect(CardStage.ended.event(isEndOurs: false) == .ended)
        #expect(CardStage.ended.event(isEndOurs: false, isGone: true) == .vanished)
        #expect(CardStage.stale.event(isEndOurs: false) == .stale)
        #expect(CardStage.active.event(isEndOurs: false) == nil)
        for stage in [CardStage.active, .stale, .ended, .dismissed, .pending] {
            #expect(stage.event(isEndOurs: true) == nil)
        }
    }

    @Test func `an end that the app announced or the switch explains is no person's`() {
        #expect(CardStage.dismissed.event(isEndOurs: false, isExplained: true) == .ended)
        #expect(CardStage.ended.event(isEndOurs: false, isGone: true, isExplained: true) == .ended)
        #expect(CardStage.stale.event(isEndOurs: false, isExplained: true) == .stale)
    }

    @Test func `versions order the states of one history, and seconds those of two`() {
        func state(_ version: Int, at second: Double) -> CardState {
            CardState(
                instance: "i", name: "n", version: version, ends: false, contentState: nil, staleDate: nil,
                dismissalDate: nil, relevanceScore: nil, timestamp: second)
        }
        #expect(ShownState().isOlder(than: state(1, at: -5), in: "a"))
        #expect(!ShownState().isOlder(than: state(0, at: 5), in: "a"))
        let shown = ShownState(version: 7, timestamp: 100, history: "a")
        #expect(shown.isOlder(than: state(8, at: 90), in: "a"))
        #expect(!shown.isOlder(than: state(7, at: 200), in: "a"))
        #expect(shown.isOlder(than: state(2, at: 101), in: "b"))
        #expect(!shown.isOlder(than: state(9, at: 100), in: "b"))
        #expect(!shown.isOlder(than: state(0, at: 101), in: "b"))
        #expect(shown.isOlder(than: state(2, at: 101), in: nil))
    }

    @Test func `the first change of history costs no pause, and those in a row cost growing ones`() {
        var pace = HistoryPace()
        var now = Date(timeIntervalSince1970: 0)
        #expect(pace.rest(at: now) == 0)
        var pauses: [Double] = []
        for _ in 0..<12 {
            pace.change(at: now)
            pauses.append(pace.rest(at: now))
            now += pauses.last ?? 0
            #expect(pace.rest(at: now) == 0)
        }
        #expect(pauses.prefix(5) == [0, 20, 40, 80, 160])
        #expect(pauses.last == HistoryPace.longest)
        #expect(pace.rest(at: now - 86_400) == HistoryPace.longest, "a clock that is set back waits no longer")
        pace.change(at: now + HistoryPace.calm)
        #expect(pace.rest(at: now + HistoryPace.calm) == 0)
    }

    @Test(
        "a version of iOS can do",
        arguments: [
            (16, 1, false, false), (16, 2, true, false), (17, 1, true, false), (17, 2, true, true), (18, 0, true, true),
            (26, 0, true, true),
        ])
    func capabilities(major: Int, minor: Int, activities: Bool, startTokens: Bool) {
        let capabilities = Capabilities(iOS: major, minor)
        #expect(capabilities.activities == activities)
        #expect(capabilities.startTokens == startTokens)
        #expect(capabilities.timestampedUpdates == startTokens)
        #expect(capabilities.osVersion == "\(major).\(minor)")
    }

    @Test func `an instance on a system without Live Activities does nothing and ends`() async throws {
        let rig = Rig()
        var configuration = rig.configuration
        configuration.capabilities = Capabilities(iOS: 15)
        let eyot = Eyot(configuration: configuration, transport: rig.server)
        eyot.identify("user-1")
        var events = eyot.events.makeAsyncIterator()
        await eyot.run()
        // Beyond that there is nothing to be told about, however often an app asks for something.
        for _ in 0...1_000 { eyot.retryNow() }
        #expect(await events.next() == .problem(.systemTooOld(osVersion: "15.0")))
        #expect(await events.next() == nil)
        #expect(await rig.server.requests.isEmpty)
    }

    @Test func `orders beyond the bound are refused and reported`() async throws {
        let eyot = Eyot(configuration: Rig().configuration, transport: ScriptedServer())
        for _ in 0...1_000 { eyot.retryNow() }
        // The events had no listener then, so the first listener hears the problem.
        try await Eyot.$heard.withValue(eyot.events) { try await eyot.problem { $0 == .tooManyOrders } }
    }

    @Test func `conditional compilation stands in few files only`() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/EyotKit")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var conditional: Set<String> = []
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            if try String(contentsOf: file, encoding: .utf8).contains("#if ") {
                conditional.insert(file.lastPathComponent)
            }
        }
        #expect(count > 20)
        #expect(conditional == ["BackgroundUploads.swift", "SystemSignals.swift", "URLSessionTransport.swift"])
    }
}

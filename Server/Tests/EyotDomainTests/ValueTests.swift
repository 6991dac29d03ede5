import APNSWire
import EyotDomain
import Testing

@Suite("Small values of the domain")
struct ValueTests {
    @Test(
        "The UNIX second of a moment is that in which it lies, before 1970 too",
        arguments: [
            (1_999_999, 1), (2_000_000, 2), (0, 0), (-1, -1), (-1_000_000, -1), (-1_000_001, -2),
        ])
    func second(_ microseconds: Int64, _ second: Int) {
        #expect(Instant(microseconds: microseconds).second == second)
    }

    @Test(
        "Versions of iOS are read as Apple writes them",
        arguments: [
            ("18", OSVersion(18)), ("17.2", OSVersion(17, 2)), ("17.2.1", OSVersion(17, 2)),
            ("16.04", OSVersion(16, 4)),
        ])
    func readsVersion(_ text: String, _ version: OSVersion) {
        #expect(OSVersion(text) == version)
    }

    @Test("What is no version of iOS is refused", arguments: ["", "17.", ".2", "17.2.1.4", "-17", "17.x", "seventeen"])
    func refusesVersion(_ text: String) {
        #expect(OSVersion(text) == nil)
    }

    @Test func `Version tags are written as they are read`() {
        #expect(VersionTag("3-14") == VersionTag(generation: 3, version: 14))
        #expect(VersionTag(generation: 3, version: 14).text == "3-14")
        for text in ["", "3", "3-", "-3", "3-1-4", "a-b"] { #expect(VersionTag(text) == nil) }
    }

    @Test func `Pauses double from a second to a quarter of an hour`() {
        #expect([1, 2, 3, 4].map(Retry.pause(after:)) == [1, 2, 4, 8])
        #expect(Retry.pause(after: 11) == 900)
        #expect(Retry.pause(after: 1_000_000) == 900)
    }

    @Test func `A secret does not print itself`() {
        let secret = Secret("hush")
        #expect("\(secret) \(String(reflecting: secret))".contains("hush") == false)
    }

    @Test func `The id of a push tells activity, version and replica apart, and is a UUID`() {
        var ids: Set<APNSID> = []
        for activity in [1, 2, Int64(1) << 40] {
            for version in [1, 2, 1 << 19, 1 << 21] {
                for ordinal in [1, 2, 1_000_000, 1 << 34] {
                    for isStart in [false, true] {
                        ids.insert(
                            APNSID(
                                activity: ActivityID(rawValue: activity), version: version, ordinal: ordinal,
                                isStart: isStart))
                    }
                }
            }
        }
        #expect(ids.count == 96)
        for id in ids {
            let text = "\(id)"
            #expect(APNSID(text) == id)
            #expect(text.split(separator: "-")[2].first == "8")
            #expect("89ab".contains(text.split(separator: "-")[3].first ?? "?"))
        }
    }
}

@Suite("How long replicas were behind")
struct AgeHistogramTests {
    @Test func `A quantile is right to within a step, and never above the longest age`() throws {
        var ages = AgeHistogram()
        for milliseconds in 1...1_000 { ages.record(seconds: Double(milliseconds) / 1_000) }
        let median = try #require(ages.quantile(0.5))
        #expect(median >= 0.5 && median <= 0.5 * 1.5)
        #expect(ages.quantile(1) == 1)
        #expect(ages.longest == 1)
    }

    @Test func `Without records there is no quantile`() {
        #expect(AgeHistogram().quantile(0.5) == nil)
    }

    @Test func `Ages of any length are counted`() {
        var ages = AgeHistogram()
        for seconds in [0, -1, 1e-9, 1e9] { ages.record(seconds: seconds) }
        #expect(ages.counts.reduce(0, +) == 4)
        #expect(ages.longest == 1e9)
    }
}

@Suite("Whether refusals speak against the tokens or the app")
struct SuspicionWindowTests {
    /// How many of `count` answers are taken before the app is to be paused, where every `step`-th is suspect.
    private func answersUntilPause(of count: Int, suspectEvery step: Int, in window: inout SuspicionWindow) -> Int? {
        (1...count).first { window.count($0 % step == 0 ? suspect(Int64($0)) : .accepted) }
    }

    private func suspect(_ device: Int64) -> SuspicionWindow.Answer { .suspect(DeviceID(rawValue: device)) }

    @Test func `A phone counts once, however many of its tokens are refused`() {
        var window = SuspicionWindow()
        #expect((1...499).allSatisfy { _ in !window.count(suspect(7)) })
    }

    @Test func `Twenty-five suspects in the first five hundred are put down to the tokens, the next one is not`() {
        var window = SuspicionWindow()
        #expect(answersUntilPause(of: 25, suspectEvery: 1, in: &window) == nil)
        let isPaused = window.count(suspect(26))
        #expect(isPaused)
    }

    @Test func `Five in a hundred never pause the app`() {
        var window = SuspicionWindow()
        #expect(answersUntilPause(of: 50_000, suspectEvery: 20, in: &window) == nil)
    }

    @Test func `After the first window ten thousand answers are weighed together`() {
        var window = SuspicionWindow()
        #expect(answersUntilPause(of: 500, suspectEvery: 501, in: &window) == nil)
        #expect(answersUntilPause(of: 10_000, suspectEvery: 1, in: &window) == 501)
    }
}

import EyotDomain
import Foundation
import Testing

@testable import EyotBench

@Suite(.timeLimit(.minutes(10))) struct `A server that is killed again and again` {
    /// The executable beside the one that runs the tests.
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")

    @Test func `loses nothing, repeats little and starts no card twice`() async throws {
        let seed = UInt64.random(in: 1...1_000_000)
        let outcome = try await Crash(tokens: 2_000, kills: 3, seed: seed, executable: Self.executable).run { _ in }
        #expect(outcome.complaints == [], "eyot-bench crash --tokens 2000 --kills 3 --seed \(seed)")
    }
}

@Suite struct `What a crash's script says` {
    @Test func `The seed decides everything`() {
        func words(_ seed: UInt64) -> [String] {
            CrashScript(tokens: 1_000, kills: 10, seed: seed).rounds.map { "\($0)" }
        }
        #expect(words(1) == words(1))
        #expect(words(1) != words(2))
    }

    @Test(arguments: 1...50)
    func `Each round has its kill, waves follow each other, and the last one is the end`(seed: UInt64) {
        let script = CrashScript(tokens: 2_000, kills: 7, seed: seed)
        #expect(script.rounds.count == 7)
        #expect(script.rounds.map(\.ends) == Array(repeating: false, count: 6) + [true])
        let waves = script.rounds.compactMap(\.wave)
        #expect(waves.first?.lowerBound == script.running.upperBound)
        #expect(zip(waves, waves.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect((1_900...2_000).contains(script.phones.count))
    }

    @Test(arguments: 1...50)
    func `A wave has a phone, also where there are as many kills as may be`(seed: UInt64) {
        let script = CrashScript(tokens: 200, kills: 100, seed: seed)
        #expect(script.rounds.dropLast().compactMap(\.wave).allSatisfy { !$0.isEmpty })
    }
}

@Suite struct `What a phone of the crowd makes of pushes` {
    @Test func `The newest timestamp wins, and what came before is seen again`() {
        var phone = CrowdPhone(isRunning: true)
        #expect(phone.take(CrowdPush(event: .update, number: 1, second: 10)) == .new)
        #expect(phone.take(CrowdPush(event: .update, number: 2, second: 10)) == .sameSecond)
        #expect(phone.take(CrowdPush(event: .update, number: 2, second: 9)) == .late)
        #expect(phone.take(CrowdPush(event: .update, number: 1, second: 11)) == .repeated)
        #expect(phone.take(CrowdPush(event: .update, number: 3, second: 12)) == .new)
        #expect(phone.take(CrowdPush(event: .update, number: 2, second: 13)) == .backwards)
        #expect(phone.take(CrowdPush(event: .end, number: 4, second: 14)) == .new)
        #expect((phone.shown, phone.isEnded, phone.starts) == (4, true, 0))
    }

    @Test func `A payload is read as it came, and another one is none`() {
        let push = #"{"aps":{"timestamp":1700000000,"event":"update","content-state":{"n":7}}}"#
        #expect(CrowdPush(Array(push.utf8)) == CrowdPush(event: .update, number: 7, second: 1_700_000_000))
        #expect(CrowdPush(Array(#"{"aps":{"timestamp":1700000000,"event":"update"}}"#.utf8)) == nil)
    }
}

/// The oracle, where everything is well but one thing.
@Suite struct `What the oracle says after crashes` {
    /// Four phones: 1 and 2 had a card, 3 got a card by a start, and the start of 4 never left. Two declarations, of
    /// which the last is the end.
    private struct Night {
        let script = CrashScript(tokens: 4, kills: 2, seed: 1)
        var phones = [CrowdPhone(isRunning: false)]
        var counts = Crowd.Counts()
        var trace = CrashTrace()
        var activity = Activity(
            id: ActivityID(rawValue: 1), app: AppID(rawValue: 1), name: "final", generation: 1, type: "T",
            createdAt: Instant(second: 0))
        var replicas: [Int: Replica] = [:]

        init() {
            for number in 1...4 {
                phones.append(CrowdPhone(isRunning: number <= 2))
                var replica = Replica(
                    activity: activity.id, ordinal: number, device: DeviceID(rawValue: Int64(number)),
                    phase: number < 4 ? .ended : .starting, createdAt: Instant(second: 0))
                replica.acceptedVersion = 2
                if number == 4 {
                    replica.lease = Lease(state: .unknown, version: 1)
                }
                replicas[number] = replica
            }
            _ = phones[3].take(CrowdPush(event: .start, number: 1, second: 10))
            phones[3].hasReported = true
            for number in 1...3 { _ = phones[number].take(CrowdPush(event: .end, number: 2, second: 11)) }
            activity.version = 2
            trace.took("1")
            trace.took("2")
        }

        var complaints: [String] {
            let oracle = CrashOracle(script: script, phones: phones, counts: counts, trace: trace)
            return oracle.complaintsOfPhones + oracle.complaints(about: activity, replicas)
        }
    }

    @Test func `Nothing, where all is well`() { #expect(Night().complaints == []) }

    @Test func `A second start, a token that nobody took, and a card that does not show the end are found`() {
        var night = Night()
        _ = night.phones[3].take(CrowdPush(event: .start, number: 1, second: 9))
        #expect(night.complaints == ["1 cards were started more than once (R6)"])
        night = Night()
        night.phones[3].hasReported = false
        #expect(night.complaints == ["1 tokens were never taken by the server (R9)"])
        night = Night()
        night.phones[1] = CrowdPhone(isRunning: true)
        #expect(night.complaints == ["1 cards do not show the end (R1, R9)"])
    }

    @Test func `Seconds, states and payloads that must not come are found`() {
        var night = Night()
        (night.counts.sameSecond, night.counts.backwards, night.counts.strange) = (1, 2, 3)
        #expect(night.complaints.count == 3)
    }

    @Test func `More repetitions after one kill than may come are found`() {
        var night = Night()
        night.trace.killed(night.counts)
        night.trace.restarted(after: 1)
        night.counts.repeated = Crash.window
        night.trace.close(night.counts)
        #expect(night.complaints == [])
        night.trace.restarted(after: 1)
        night.counts.repeated += Crash.window + 1
        night.trace.close(night.counts)
        #expect(night.complaints.count == 1)
    }

    @Test func `A declaration, a place, a verdict and a start that the store has lost are found`() {
        var night = Night()
        night.activity.version = 1
        #expect(night.complaints.count == 1)
        night = Night()
        night.replicas[4] = nil
        #expect(night.complaints.count == 1)
        night = Night()
        night.replicas[1]?.phase = .live
        #expect(night.complaints.count == 1)
        night = Night()
        night.replicas[4]?.lease?.state = .accepted
        #expect(night.complaints.count == 1)
    }

    @Test func `A started card whose token came to no place is found`() {
        var night = Night()
        night.replicas[3]?.phase = .starting
        #expect(night.complaints.count == 1)
    }
}

import APNSSender
import APNSSimulator
import APNSWire
import EyotContract
import Foundation
import PhoneSimulator
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct MisfortuneTests {
    @Test func `REFUSED_STREAM is not processed, any other reset is unknown, and neither is sent again`() async throws {
        let rig = try await Rig(sender: { ($0.streamsPerConnection, $0.connectionsPerKey) = (1, 1) })
        rig.simulator.faults.enqueue([
            .none, PushFault(.reset(.refusedStream), isDelivered: false),
            PushFault(.reset(.internalError), isDelivered: true), .none,
        ])
        // One stream at a time, so that the faults hit the slots in order.
        let result = await rig.sender.send(Rig.page(4), key: rig.key)
        #expect(result.verdicts == [.accepted, .notProcessed, .unknown, .accepted])
        #expect(rig.simulator.requestCount == 4)
        await rig.stop()
    }

    @Test func `above a GOAWAY's last stream nothing was processed, and the next page goes over a new connection`()
        async throws
    {
        let rig = try await Rig()
        rig.simulator.faults.enqueue([.none, PushFault(.goAway(includingThis: false, .shutdown), isDelivered: false)])
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [.accepted])
        #expect(await rig.sender.send(Rig.page(1, first: 1), key: rig.key).verdicts == [.notProcessed])
        #expect(await rig.sender.send(Rig.page(1, first: 2), key: rig.key).verdicts == [.accepted])
        #expect(rig.phones.received.map(\.token.bytes) == [Rig.token(0), Rig.token(2)])
        #expect(Set(rig.simulator.requests().map(\.connection)).count == 2)
        await rig.stop()
    }

    @Test func `what a GOAWAY includes is still answered`() async throws {
        let rig = try await Rig()
        rig.simulator.faults.enqueue([PushFault(.goAway(includingThis: true, nil), isDelivered: true)])
        let result = await rig.sender.send(Rig.page(3), key: rig.key)
        #expect(result.verdicts == [.accepted, .accepted, .accepted])
        #expect(Set(rig.simulator.requests().map(\.connection)).count == 2)
        await rig.stop()
    }

    @Test func `a lost connection leaves its pushes unknown and the others to the next connection`() async throws {
        let rig = try await Rig()
        rig.simulator.faults.enqueue([PushFault(.closed, isDelivered: true)])
        let result = await rig.sender.send(Rig.page(3), key: rig.key)
        #expect(result.verdicts == [.unknown, .accepted, .accepted])
        #expect(rig.phones.received.count == 3)
        await rig.stop()
    }

    @Test func `after 10 seconds a page is settled: unknown what was written, not processed what was not`()
        async throws
    {
        let clock = ManualClock()
        let rig = try await Rig(
            sender: {
                $0.clock = clock
                $0.pageTimeout = .seconds(10)
                $0.connectionsPerKey = 1
            }, simulator: { $0.limits.concurrentStreams = 4 })
        rig.simulator.faults.enqueue([.none] + Array(repeating: .answerLost, count: 4))
        async let stalled = rig.sender.send(Rig.page(10), key: rig.key)
        await rig.phones.wait(for: 5)
        await clock.waitForSleepers(1)
        rig.time.advance(by: 10)
        clock.advance(by: .seconds(10))
        let expected: [PushVerdict] =
            [.accepted] + Array(repeating: .unknown, count: 4) + Array(repeating: .notProcessed, count: 5)
        #expect(await stalled.verdicts == expected)
        // The sender has abandoned the stalled streams, so they hold up no other push.
        #expect(await rig.sender.send(Rig.page(10, first: 10), key: rig.key).verdicts.allSatisfy { $0 == .accepted })
        #expect(rig.phones.received.count == 15)
        await rig.stop()
    }

    @Test func `a connection that said nothing for a page's whole time is replaced`() async throws {
        let clock = ManualClock()
        let rig = try await Rig(sender: {
            $0.clock = clock
            $0.pageTimeout = .seconds(10)
        })
        _ = await rig.sender.send(Rig.page(20), key: rig.key)
        let before = try #require(rig.simulator.requests().last?.connection)
        rig.time.advance(by: 1)
        rig.simulator.faults.enqueue([.answerLost])
        async let stalled = rig.sender.send(Rig.page(1), key: rig.key)
        await rig.phones.wait(for: 21)
        await clock.waitForSleepers(1)
        rig.time.advance(by: 10)
        clock.advance(by: .seconds(10))
        #expect(await stalled.verdicts == [.unknown])
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [.accepted])
        #expect(rig.simulator.requests().last?.connection != before)
        await rig.stop()
    }

    @Test func `a connection that was silent for long is tried with one push before it is trusted again`() async throws
    {
        let rig = try await Rig(sender: { $0.connectionsPerKey = 1 })
        _ = await rig.sender.send(Rig.page(20), key: rig.key)
        rig.time.advance(by: 601)
        rig.simulator.faults.enqueue([PushFault(.closed, isDelivered: false)])
        let result = await rig.sender.send(Rig.page(20), key: rig.key)
        #expect(result.verdicts == [.unknown] + Array(repeating: .accepted, count: 19))
        await rig.stop()
    }

    @Test func `an answer that is late, but within the page's time, counts`() async throws {
        let late = ManualClock()
        let rig = try await Rig(simulator: { $0.clock = late })
        rig.simulator.faults.enqueue([PushFault(.late(.seconds(3)), isDelivered: true)])
        async let result = rig.sender.send(Rig.page(1), key: rig.key)
        await late.waitForSleepers(1)
        late.advance(by: .seconds(3))
        #expect(await result.verdicts == [.accepted])
        await rig.stop()
    }

    @Test func `a page whose caller gives up ends at once, and a new connection was given one push`() async throws {
        let rig = try await Rig(simulator: { $0.rules.oneStreamUntilValidToken = false })
        rig.simulator.faults.enqueue([.answerLost])
        let page = Task { await rig.sender.send(Rig.page(3), key: rig.key) }
        await rig.phones.wait(for: 1)
        page.cancel()
        #expect(await page.value.verdicts == [.unknown, .notProcessed, .notProcessed])
        await rig.stop()
    }

    @Test func `a page whose caller has gone before it begins ends all the same`() async throws {
        let clock = ManualClock()
        let rig = try await Rig(sender: { $0.clock = clock })
        for index in 0..<30 {
            rig.simulator.faults.enqueue([.answerLost])
            let page = Task {
                while !Task.isCancelled { await Task.yield() }
                return await rig.sender.send(Rig.page(1, first: index), key: rig.key)
            }
            page.cancel()
            #expect([[.unknown], [.notProcessed]].contains(await page.value.verdicts))
            rig.simulator.faults.clear()
        }
        await rig.stop()
    }

    @Test func `of starts few are in flight, so that a slow Apple leaves few of unknown fate`() async throws {
        let rig = try await Rig(sender: {
            $0.connectionsPerKey = 1
            $0.unrepeatablePushesInFlight = 4
        })
        // The first push of a connection goes alone. After it, Apple answers none.
        _ = await rig.sender.send(Rig.page(1), key: rig.key)
        rig.simulator.faults.enqueue(Array(repeating: .answerLost, count: 20))
        let page = Task { await rig.sender.send(Rig.page(20, isRepeatable: false), key: rig.key) }
        await rig.phones.wait(for: 5)
        page.cancel()
        let verdicts = await page.value.verdicts
        #expect(verdicts == Array(repeating: .unknown, count: 4) + Array(repeating: .notProcessed, count: 16))
        // Where answers come, all of them go.
        rig.simulator.faults.clear()
        let answered = await rig.sender.send(Rig.page(20, first: 20, isRepeatable: false), key: rig.key)
        #expect(answered.verdicts == Array(repeating: .accepted, count: 20))
        await rig.stop()
    }

    @Test func `where nobody listens nothing was processed, and the next attempt waits`() async throws {
        let clock = ManualClock()
        let rig = try await Rig(sender: {
            $0.clock = clock
            $0.backOff = BackOff(first: .seconds(4), longest: .seconds(60))
        })
        await rig.simulator.shutdown()
        let refused = Array(repeating: PushVerdict.notProcessed, count: 5)
        #expect(await rig.sender.send(Rig.page(5), key: rig.key).verdicts == refused)
        async let second = rig.sender.send(Rig.page(5), key: rig.key)
        await clock.waitForSleepers(2)  // the page's time and the back-off
        clock.advance(by: .seconds(4))
        #expect(await second.verdicts == refused)
        guard case .unreachable = await rig.sender.probe(.sandbox) else {
            Issue.record("a port that is closed was reached")
            return
        }
        await rig.stop()
    }

    @Test(
        "One good answer ends a back-off, however soon the connection ends after it (R10)",
        arguments: [
            PushFault(.goAway(includingThis: false, .shutdown), isDelivered: false),
            PushFault(.closed, isDelivered: false),
        ])
    func goodAnswerEndsBackOff(fault: PushFault) async throws {
        let clock = ManualClock()
        let first = Duration.seconds(1)
        let rig = try await Rig(sender: {
            $0.clock = clock
            $0.backOff = BackOff(first: first, longest: .seconds(30))
        })
        for round in 0..<4 {
            rig.simulator.faults.enqueue([.none, fault])
            async let good = rig.sender.send(Rig.page(1, first: 2 * round), key: rig.key)
            if round > 0 {
                let wait = await backOff(on: clock)
                #expect(wait == first)
                clock.advance(by: wait)
            }
            #expect(await good.verdicts == [.accepted])
            #expect(await rig.sender.send(Rig.page(1, first: 2 * round + 1), key: rig.key).verdicts != [.accepted])
        }
        await rig.stop()
    }

    /// The back-off that is under way. Pages sleep on the same clock, and longer.
    private func backOff(on clock: ManualClock) async -> Duration {
        while true {
            if let wait = clock.shortestWait, wait < .seconds(60) { return wait }
            await Task.yield()
        }
    }

    @Test func `a server whose certificate is not trusted gets no push`() async throws {
        let rig = try await Rig()
        let stranger = try APNSSender(Rig.configuration(for: rig.simulator))
        #expect(await stranger.send(Rig.page(2), key: rig.key).verdicts == [.notProcessed, .notProcessed])
        guard case .unreachable(let why) = await stranger.probe(.sandbox) else {
            Issue.record("an untrusted server was reached")
            return
        }
        #expect(why.contains("CERTIFICATE_VERIFY_FAILED"), "\(why)")
        #expect(rig.simulator.requestCount == 0)
        await stranger.shutdown()
        await rig.stop()
    }

    @Test func `a probe tells what the server allows`() async throws {
        let rig = try await Rig()
        #expect(await rig.sender.probe(.production) == .reachable(concurrentStreams: 1))
        await rig.stop()
    }

    @Test func `a shutdown waits for answers, returns what was not written, and takes nothing more`() async throws {
        let late = ManualClock()
        let rig = try await Rig(simulator: { $0.clock = late })
        rig.simulator.faults.enqueue([PushFault(.late(.seconds(3)), isDelivered: true)])
        async let result = rig.sender.send(Rig.page(3), key: rig.key)
        await late.waitForSleepers(1)
        async let shutdown: Void = rig.sender.shutdown()
        late.advance(by: .seconds(3))
        await shutdown
        // The shutdown may have come after the first answer and then found the others written as well.
        let verdicts = await result.verdicts
        #expect(verdicts[0] == .accepted)
        #expect(verdicts.allSatisfy { $0 == .accepted || $0 == .notProcessed })
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [.notProcessed])
        await rig.simulator.shutdown()
    }

    @Test func `more keys than there are places take the place of unused ones`() async throws {
        let rig = try await Rig(sender: { $0.keys = 1 })
        #expect(await rig.sender.send(Rig.page(1), key: rig.key).verdicts == [.accepted])
        #expect(
            await rig.sender.send(Rig.page(1, environment: .production), key: rig.key).verdicts == [.accepted])
        rig.simulator.faults.enqueue([.answerLost])
        let busy = Task { await rig.sender.send(Rig.page(1), key: rig.key) }
        await rig.phones.wait(for: 3)
        #expect(
            await rig.sender.send(Rig.page(1, environment: .production), key: rig.key).verdicts == [.notProcessed])
        busy.cancel()
        #expect(await busy.value.verdicts == [.unknown])
        await rig.stop()
    }

    @Test func `pages over the limit come back at once`() async throws {
        let rig = try await Rig(sender: {
            ($0.pagesPerKey, $0.streamsPerConnection, $0.connectionsPerKey) = (1, 1, 1)
        })
        rig.simulator.faults.enqueue([.answerLost])
        let first = Task { await rig.sender.send(Rig.page(2), key: rig.key) }
        await rig.phones.wait(for: 1)
        #expect(await rig.sender.send(Rig.page(2), key: rig.key).verdicts == [.notProcessed, .notProcessed])
        first.cancel()
        #expect(await first.value.verdicts == [.unknown, .notProcessed])
        await rig.stop()
    }

    @Test func `pages of which all is with Apple keep no others from leaving`() async throws {
        let rig = try await Rig(sender: { $0.pagesPerKey = 1 })
        rig.simulator.faults.enqueue(Array(repeating: .answerLost, count: 5))
        var silent: [Task<PageVerdicts, Never>] = []
        for number in 1...5 {
            silent.append(Task { await rig.sender.send(Rig.page(1, first: number), key: rig.key) })
            await rig.phones.wait(for: number)
        }
        #expect(await rig.sender.send(Rig.page(2, first: 10), key: rig.key).verdicts == [.accepted, .accepted])
        for page in silent { page.cancel() }
        for page in silent { #expect(await page.value.verdicts == [.unknown]) }
        await rig.stop()
    }

    @Test("Whatever happens, verdicts are true and nothing is sent twice", arguments: 1...6)
    func chaos(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed, name: "misfortune")
        let rig = try await Rig(simulator: { $0.limits.concurrentStreams = 50 })
        let kinds: [PushFault] = [
            .none, .none, .none, .none, .none, .none, .refuse(.tooManyRequests), .refuse(.serviceUnavailable),
            PushFault(.reset(.refusedStream), isDelivered: false), PushFault(.reset(.cancel), isDelivered: true),
            PushFault(.reset(.internalError), isDelivered: false),
        ]
        let rare: [PushFault] = [
            PushFault(.closed, isDelivered: true), PushFault(.goAway(includingThis: true, nil), isDelivered: true),
            PushFault(.goAway(includingThis: false, .shutdown), isDelivered: false),
        ]
        rig.simulator.faults.enqueue(
            (0..<300).map { _ in
                Int.random(in: 0..<30, using: &random) == 0
                    ? rare[Int.random(in: 0..<rare.count, using: &random)]
                    : kinds[Int.random(in: 0..<kinds.count, using: &random)]
            })
        async let first = rig.sender.send(Rig.page(150), key: rig.key)
        async let second = rig.sender.send(Rig.page(150, first: 150), key: rig.key)
        let verdicts = await first.verdicts + second.verdicts
        var deliveries: [[UInt8]: Int] = [:]
        for push in rig.phones.received { deliveries[push.token.bytes, default: 0] += 1 }
        #expect(deliveries.values.allSatisfy { $0 == 1 })
        for (index, verdict) in verdicts.enumerated() {
            let isDelivered = deliveries[Rig.token(index)] != nil
            if verdict == .accepted { #expect(isDelivered, "push \(index) was called accepted") }
            if verdict == .notProcessed || verdict.reason != nil { #expect(!isDelivered, "push \(index): \(verdict)") }
        }
        #expect(verdicts.contains(.accepted))
        await rig.stop()
    }
}

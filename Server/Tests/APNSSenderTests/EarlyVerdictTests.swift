import APNSSimulator
import APNSWire
import EyotContract
import Foundation
import Synchronization
import Testing

@testable import APNSSender

/// What is told of a page before all of it is known (R10).
@Suite(.serialized, .timeLimit(.minutes(10))) struct EarlyVerdictTests {
    private let clock = ManualClock()

    /// One connection, so that answers come in the order of the pushes.
    private func rig(_ adjust: (inout APNSSenderConfiguration) -> Void = { _ in }) async throws -> Rig {
        try await Rig(sender: {
            $0.clock = clock
            $0.connectionsPerKey = 1
            $0.pageTimeout = .seconds(10)
            $0.patience = .seconds(1)
            adjust(&$0)
        })
    }

    /// Sends a page, and answers when everything was answered that came before this one's last push.
    private func passBehind(_ rig: Rig) async {
        _ = await rig.sender.send(Rig.page(1, first: 900), key: rig.key)
    }

    /// Lets the sender check the given number of times whether a page is stuck.
    private func look(_ times: Int) async {
        for _ in 0..<times {
            await clock.waitForSleepers(1)
            clock.advance(by: .seconds(1))
        }
        await clock.waitForSleepers(1)
    }

    @Test func `a page that is stuck tells once what is known, and the rest when its time is up`() async throws {
        let (rig, told) = (try await rig(), Told())
        rig.simulator.faults.enqueue([.none, .answerLost, .refuse(.unregistered), .answerLost, .none])
        let page = Task { await rig.sender.send(Rig.page(5), key: rig.key) { told.append($0) } }
        await rig.phones.wait(for: 4)
        await passBehind(rig)
        await look(8)
        clock.advance(by: .seconds(10))
        let verdicts = await page.value
        #expect(verdicts.verdicts == [.accepted, .unknown, .refused(.unregistered), .unknown, .accepted])
        #expect(verdicts.open.isEmpty)
        let early = told.all
        #expect(early.map(\.open) == [[1, 3]])
        #expect(early.first?.picking([0, 2, 4]).verdicts == [.accepted, .refused(.unregistered), .accepted])
        #expect(early.first?.deadSince[2] == verdicts.deadSince[2])
        await rig.stop()
    }

    @Test func `where newer pushes were answered, half of the patience is enough`() async throws {
        let (rig, told) = (try await rig(), Told())
        rig.simulator.faults.enqueue([.none, .answerLost, .none, .answerLost])
        let page = Task { await rig.sender.send(Rig.page(4), key: rig.key) { told.append($0) } }
        await rig.phones.wait(for: 4)
        await passBehind(rig)
        await look(2)
        page.cancel()
        _ = await page.value
        #expect(told.all.map(\.open) == [[1, 3]])
        await rig.stop()
    }

    @Test func `the first push of a connection may be the one without an answer, and nobody waits for it`() async throws
    {
        let (rig, told) = (try await rig(), Told())
        rig.simulator.faults.enqueue([.answerLost])
        let page = Task { await rig.sender.send(Rig.page(5), key: rig.key) { told.append($0) } }
        await rig.phones.wait(for: 5)
        await passBehind(rig)
        await look(2)
        page.cancel()
        #expect(await page.value.verdicts == [.unknown] + Array(repeating: .accepted, count: 4))
        #expect(told.all.map(\.open) == [[0]])
        await rig.stop()
    }

    /// A connection that was silent for long gets one push first. If Apple does not answer that push, another
    /// connection takes the rest.
    @Test func `a connection that is doubted holds nobody up`() async throws {
        let rig = try await rig { $0.connectionsPerKey = 2 }
        await passBehind(rig)
        rig.time.advance(by: 700)
        // Both connections begin with one push, in no fixed order. The first slot is the one that gets no answer.
        rig.phones.keepSilent(about: Rig.token(0))
        let page = Task { await rig.sender.send(Rig.page(5), key: rig.key) }
        await rig.phones.wait(for: 5)
        await passBehind(rig)
        page.cancel()
        #expect(await page.value.verdicts == [.unknown] + Array(repeating: .accepted, count: 4))
        await rig.stop()
    }

    @Test func `starts that may not leave yet are told as open`() async throws {
        let (rig, told) = (try await rig { $0.unrepeatablePushesInFlight = 2 }, Told())
        await passBehind(rig)
        rig.simulator.faults.enqueue([.none, .answerLost, .answerLost])
        let page = Task { await rig.sender.send(Rig.page(6, isRepeatable: false), key: rig.key) { told.append($0) } }
        await rig.phones.wait(for: 4)
        await passBehind(rig)
        await look(6)
        page.cancel()
        let notProcessed = Array(repeating: PushVerdict.notProcessed, count: 3)
        #expect(await page.value.verdicts == [.accepted, .unknown, .unknown] + notProcessed)
        #expect(told.all.map(\.open) == [[1, 2, 3, 4, 5]])
        await rig.stop()
    }

    @Test func `a page of which nothing is known tells nothing, and neither does one without patience`() async throws {
        for patience in [Duration.seconds(1), .zero] {
            let (rig, told) = (try await rig { $0.patience = patience }, Told())
            await passBehind(rig)
            rig.simulator.faults.enqueue([.answerLost] + (patience == .zero ? [] : [.answerLost]))
            let page = Task { await rig.sender.send(Rig.page(2), key: rig.key) { told.append($0) } }
            await rig.phones.wait(for: 3)
            await passBehind(rig)
            for _ in 0..<8 {
                await clock.waitForSleepers(1)
                clock.advance(by: .seconds(1))
            }
            page.cancel()
            _ = await page.value
            #expect(told.all.isEmpty)
            await rig.stop()
        }
    }
}

/// When a page counts as stuck, look by look.
@Suite struct PageFlightTests {
    private func flight(_ count: Int, window: Int = 100, telling told: Told) -> PageFlight {
        PageFlight(
            number: 1, page: Rig.page(count), authority: "a", startedAt: Rig.start, window: window,
            early: { told.append($0) }, continuation: nil)
    }

    @Test func `while pushes leave or answers come nothing is told`() {
        let told = Told()
        let flight = flight(4, telling: told)
        for slot in 0..<3 {
            _ = flight.takeSlot(stampedWith: 1)
            flight.look()
            flight.settle(slot, .accepted)
            flight.look()
        }
        #expect(told.all.isEmpty)
        for _ in 0..<PageFlight.looksOfPatience { flight.look() }
        #expect(told.all.map(\.open) == [[3]])
    }

    @Test func `it is told at the end of the patience and not before, which begins anew while answers come closer`() {
        let told = Told()
        let flight = flight(2, telling: told)
        for _ in 0..<2 { _ = flight.takeSlot(stampedWith: 1) }
        flight.settle(0, .accepted)
        for _ in 0..<5 {
            flight.look(.comesCloser)
            for _ in 0..<PageFlight.looksOfPatience - 1 { flight.look() }
        }
        #expect(told.all.isEmpty)
        flight.look()
        #expect(told.all.map(\.open) == [[1]])
    }

    @Test func `where its turn is past it is told as soon as a look finds nothing new`() {
        let told = Told()
        let flight = flight(2, telling: told)
        for _ in 0..<2 { _ = flight.takeSlot(stampedWith: 1) }
        flight.settle(0, .accepted)
        flight.look(.isPast)
        #expect(told.all.isEmpty, "an answer has just come")
        flight.look(.isPast)
        #expect(told.all.map(\.open) == [[1]])
    }

    @Test func `it is told again when more is known, and not when it is all over`() {
        let told = Told()
        let flight = flight(3, telling: told)
        for _ in 0..<3 { _ = flight.takeSlot(stampedWith: 1) }
        for slot in 0..<3 {
            flight.settle(slot, .accepted)
            for _ in 0..<9 { flight.look() }
        }
        #expect(told.all.map(\.open) == [[1, 2], [2]])
    }
}

/// What was told, in order.
private final class Told: Sendable {
    private let verdicts = Mutex<[PageVerdicts]>([])
    var all: [PageVerdicts] { verdicts.withLock { $0 } }
    func append(_ known: PageVerdicts) { verdicts.withLock { $0.append(known) } }
}

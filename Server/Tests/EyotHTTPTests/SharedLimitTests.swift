import EyotCommands
import EyotDomain
import EyotTestKit
import NIOCore
import Testing

@testable import EyotHTTP

@Suite("Limits that nodes share")
struct SharedLimitTests {
    private let start = Rig.start
    private let app = AppID(rawValue: 1)

    /// Gates of three nodes on one store.
    private struct Nodes {
        let store = MemoryStore()
        let states: [PushingState]
        let gates: [CallGate]

        init(isShared: Bool = true, _ change: (inout CallLimits) -> Void) {
            var limits = CallLimits()
            change(&limits)
            let (store, states) = (store, (0..<3).map { _ in PushingState(at: Rig.start) })
            self.states = states
            gates = states.map { CallGate(limits, among: isShared ? SharedCounts(store: store, pushing: $0) : nil) }
        }
    }

    private func address(_ number: Int) throws -> SocketAddress {
        try SocketAddress(ipAddress: "203.0.113.\(number)", port: 50_000)
    }

    /// How many of these calls the nodes allow, which come to one after the other.
    private func allowed(
        _ calls: Int, by nodes: Nodes, at now: Instant, _ isAllowed: (CallGate) async throws -> Bool
    ) async rethrows -> Int {
        var allowed = 0
        for call in 0..<calls where try await isAllowed(nodes.gates[call % 3]) { allowed += 1 }
        return allowed
    }

    @Test(arguments: [20, 60, 3_600])
    func `Three nodes allow a device what one does, within a tenth, and again as time passes`(
        _ perHour: Int
    ) async throws {
        let nodes = Nodes { $0.deviceCallsPerHour = perHour }
        let device = DeviceID(rawValue: 7)
        func count(_ calls: Int, at now: Instant) async -> Int {
            await allowed(calls, by: nodes, at: now) { gate in
                (try? await gate.take(device, at: now)) != nil
            }
        }
        let tenth = max(1, perHour / 10)
        #expect(abs(await count(perHour * 2, at: start) - perHour) <= tenth)
        #expect(abs(await count(perHour * 2, at: start + 1_800) - perHour / 2) <= tenth)
        // The debt of one hour is not forgotten in the next.
        #expect(abs(await count(perHour * 2, at: start + 5_400) - perHour) <= tenth)
    }

    @Test func `Nodes that do not share allow three times as much`() async {
        let nodes = Nodes(isShared: false) { $0.deviceCallsPerHour = 60 }
        let allowed = await allowed(240, by: nodes, at: start) { gate in
            (try? await gate.take(DeviceID(rawValue: 7), at: start)) != nil
        }
        #expect(allowed == 180)
    }

    @Test func `Guesses from one address count at all nodes together`() async throws {
        let nodes = Nodes { $0.failedKeysPerMinute = 20 }
        let address = try address(7)
        var guess = 0
        let guesses = await allowed(100, by: nodes, at: start) { gate in
            guess += 1
            guard (try? gate.checkFailures(.control, "\(guess)", from: address, at: start)) != nil else { return false }
            await gate.note(.control, "\(guess)", isGood: false, from: address, at: start)
            return true
        }
        #expect((20...22).contains(guesses))
    }

    @Test func `Registrations of one address count at all nodes together`() async throws {
        let nodes = Nodes { $0.registrationsPerMinute = 30 }
        let address = try address(7)
        let registered = await allowed(100, by: nodes, at: start) { gate in
            (try? await gate.takeRegistration(app, from: address, at: start)) != nil
        }
        #expect((30...33).contains(registered))
    }

    @Test func `A stranger that comes once costs no write`() async throws {
        let nodes = Nodes { $0.failedKeysPerMinute = 20 }
        for number in 1...50 {
            await nodes.gates[0].note(.control, "x", isGood: false, from: try address(number), at: start)
        }
        #expect(await nodes.store.commits == 0)
        await nodes.gates[0].note(.control, "x", isGood: false, from: try address(1), at: start)
        #expect(await nodes.store.commits == 1)
    }

    @Test func `A refused call is taken off its app's count at all nodes`() async throws {
        let nodes = Nodes { $0.appCallsPerHour = 60 }
        let key = APIKey(app: app, name: "k", hash: Keyring.hash(of: "1"), hint: "h", createdAt: start)
        for call in 0..<300 {
            let gate = nodes.gates[call % 3]
            #expect(await gate.take(key, app, at: start)?.wait == nil)
            gate.giveBack(app, at: start)
        }
    }

    @Test func `A node whose clock is wrong counts by itself, and closes no other's limit`() async throws {
        let nodes = Nodes { $0.deviceCallsPerHour = 60 }
        nodes.states[0].note(.clockApart)
        let device = DeviceID(rawValue: 7)
        for _ in 0..<60 { try await nodes.gates[0].take(device, at: start + 10_800) }
        await #expect(throws: Problem.self) { try await nodes.gates[0].take(device, at: start + 10_800) }
        for _ in 0..<30 { try await nodes.gates[1].take(device, at: start) }
    }

    @Test func `A clock that was ahead for a moment closes a limit for hardly more than a period`() async throws {
        let nodes = Nodes { $0.deviceCallsPerHour = 60 }
        let device = DeviceID(rawValue: 7)
        for _ in 0..<60 { try await nodes.gates[0].take(device, at: start + 10_800) }
        try? await nodes.gates[1].take(device, at: start)
        await #expect(throws: Problem.self) { for _ in 0..<3 { try await nodes.gates[1].take(device, at: start) } }
        try await nodes.gates[1].take(device, at: start + 1_800)
    }

    @Test func `What the store does not take is said with the next use`() async throws {
        let store = BusyStore(MemoryStore())
        var limits = CallLimits()
        limits.deviceCallsPerHour = 60
        let gate = CallGate(limits, among: SharedCounts(store: store, pushing: PushingState(at: start)))
        let device = DeviceID(rawValue: 7)
        try await gate.take(device, at: start)
        store.refuseNext()
        try await gate.take(device, at: start)
        try await gate.take(device, at: start)
        let fullAt = try await store.read { try $0.fullAt(LimitedSource(.device, "7")) }
        #expect(fullAt == start + 180)
    }
}

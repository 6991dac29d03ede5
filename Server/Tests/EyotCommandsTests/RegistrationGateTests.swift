import EyotCommands
import EyotDomain
import Testing

@Suite("The gate to the log of arrivals")
struct RegistrationGateTests {
    private let one = AppID(rawValue: 1)
    private let two = AppID(rawValue: 2)

    private func gate(_ change: (inout Registrations.Limits) -> Void = { _ in }) -> RegistrationGate<Int> {
        var limits = Registrations.Limits()
        (limits.atOnce, limits.waiting, limits.waitingOfApp, limits.group, limits.groups) = (2, 5, 4, 3, 2)
        change(&limits)
        return RegistrationGate(limits: limits)
    }

    /// Lets reports of an app enter the gate one after the other, and returns the place that each gets.
    private func enter(_ reports: ClosedRange<Int>, of app: AppID, _ gate: inout RegistrationGate<Int>)
        -> [RegistrationGate<Int>.Place]
    {
        reports.map { gate.enter($0, of: app) }
    }

    @Test func `While it is closed everybody goes in at once`() {
        var gate = gate()
        #expect(enter(1...20, of: one, &gate) == Array(repeating: .atOnce, count: 20))
        #expect(gate.nextGroup() == nil)
        #expect(gate.load == 20)
    }

    @Test func `Few of an app go in at once, the next ones wait, and what is too much is refused`() {
        var gate = gate()
        gate.open()
        #expect(enter(1...7, of: one, &gate) == [.atOnce, .atOnce, .waits, .waits, .waits, .waits, .refused])
        // Another app is no flood, and has a place that waits left, but no more than all may have.
        #expect(enter(11...14, of: two, &gate) == [.atOnce, .atOnce, .waits, .refused])
        #expect(gate.load == 11)
    }

    @Test func `Who has left makes room for the next one to go in at once`() {
        var gate = gate()
        gate.open()
        _ = enter(1...3, of: one, &gate)
        for _ in 1...3 { gate.leave(of: one) }
        #expect(gate.load == 0)
        #expect(enter(4...6, of: one, &gate) == [.atOnce, .atOnce, .waits])
        // A report that leaves without having entered frees no place.
        gate.leave(of: two)
        gate.leave(of: two)
        #expect(enter(7...9, of: two, &gate) == [.atOnce, .atOnce, .waits])
    }

    @Test func `Beside others on a store none goes in at once while a group is under way`() {
        var gate = gate { ($0.atOnce, $0.waitsBesideGroups) = (1, true) }
        gate.open()
        #expect(enter(1...2, of: one, &gate) == [.atOnce, .waits])
        #expect(gate.nextGroup() == [2])
        for _ in 1...2 { gate.leave(of: one) }
        #expect(enter(3...3, of: one, &gate) == [.waits])
        gate.endGroup()
        #expect(gate.nextGroup() == [3])
        gate.endGroup()
        gate.leave(of: one)
        #expect(enter(4...4, of: one, &gate) == [.atOnce])
    }

    @Test func `A group has an equal share of each app, and only so many are under way`() {
        var gate = gate { ($0.atOnce, $0.waiting, $0.waitingOfApp, $0.group) = (0, 99, 99, 4) }
        gate.open()
        _ = enter(1...9, of: one, &gate)
        _ = enter(11...12, of: two, &gate)
        #expect(gate.nextGroup() == [1, 2, 11, 12])
        #expect(gate.nextGroup() == [3, 4, 5, 6])
        #expect(gate.nextGroup() == nil)
        gate.endGroup()
        #expect(gate.nextGroup() == [7, 8, 9])
        gate.endGroup()
        #expect(gate.nextGroup() == nil, "nobody waits, and that is no group")
        #expect(enter(10...10, of: one, &gate) == [.waits])
        #expect(gate.nextGroup() == [10])
    }

    @Test func `When it closes, those who wait are handed out, and nobody waits from then on`() {
        var gate = gate()
        gate.open()
        _ = enter(1...5, of: one, &gate)
        _ = enter(11...13, of: two, &gate)
        #expect(gate.close().sorted() == [3, 4, 5, 13])
        #expect(gate.close() == [])
        #expect(enter(6...9, of: one, &gate) == Array(repeating: .atOnce, count: 4))
    }
}

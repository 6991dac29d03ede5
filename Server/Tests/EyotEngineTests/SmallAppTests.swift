import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

@Suite("Apps with few phones have a net too (R8)")
struct SmallAppTests {
    private func phases(_ drive: EngineDrive, _ app: App) throws -> [String: Int] {
        let activity = try #require(drive.ledger.newestActivity(named: app.name, in: app.id))
        return drive.ledger.replicas(of: activity.id, after: 0, limit: 999).reduce(into: [:]) {
            $0[$1.word, default: 0] += 1
        }
    }

    private func pass(_ seconds: Int, _ drive: EngineDrive) throws {
        for _ in 0..<seconds {
            drive.now = drive.now + 1
            try drive.run()
        }
    }

    /// An app with cards that Apple has accepted many pushes for, so that a window of answers is far from full.
    private func drive(cards: Int) throws -> (EngineDrive, App) {
        let drive = EngineDrive()
        let app = try drive.app("small", cards: cards)
        for _ in 0..<20 {
            try drive.declare(app)
            try pass(2, drive)
        }
        return (drive, app)
    }

    @Test(arguments: [3, 12, 40])
    func `When all phones are refused at once, the app is paused and no token is touched`(cards: Int) throws {
        let (drive, app) = try drive(cards: cards)
        drive.verdict = { _ in .refused(.badDeviceToken) }
        try drive.declare(app)
        try pass(5, drive)
        #expect(drive.ledger.app(app.id)?.pauses[.production]?.reason == .badDeviceToken)
        #expect(try phases(drive, app) == ["live": cards])
        // The fault is over: a trial finds that out by itself.
        drive.verdict = { _ in .accepted }
        try drive.declare(app)
        let before = drive.pushes.count
        try pass(130, drive)
        #expect(drive.ledger.app(app.id)?.pauses == [:])
        let newest = drive.pushes.last?.state
        #expect(Set(drive.pushes[before...].filter { $0.state == newest }.map(\.ordinal)).count == cards)
    }

    @Test func `A few phones among many good ones do not pause the app`() throws {
        let (drive, app) = try drive(cards: 12)
        drive.verdict = { $0.ordinal <= 4 ? .refused(.badDeviceToken) : .accepted }
        for _ in 0..<3 {
            try drive.declare(app)
            try pass(3, drive)
        }
        #expect(drive.ledger.app(app.id)?.pauses == [:])
        #expect(try phases(drive, app) == ["live": 8, "quarantined": 4])
    }

    @Test func `Refusals one after the other, with no acceptance between them, are a row as well`() throws {
        let drive = EngineDrive()
        let apps = try drive.app("small", cards: 1)
        // Each phone has an activity of its own.
        var window = SuspicionWindow(isFirst: false)
        var isPaused = false
        for phone in 1...3 {
            _ = window.count(.suspect(DeviceID(rawValue: Int64(phone))))
            isPaused = window.endPage()
        }
        #expect(isPaused)
        _ = apps
        var mixed = SuspicionWindow(isFirst: false)
        for phone in 1...30 {
            _ = mixed.count(.suspect(DeviceID(rawValue: Int64(phone))))
            _ = mixed.count(.accepted)
            let isAtFault = mixed.endPage()
            #expect(!isAtFault)
        }
    }

    @Test func `Tokens that were set aside are tried again, and all of them when Apple takes them`() throws {
        let (drive, app) = try drive(cards: 60)
        drive.verdict = { $0.ordinal <= 25 ? .refused(.badDeviceToken) : .accepted }
        try drive.declare(app)
        try pass(3, drive)
        #expect(try phases(drive, app) == ["live": 35, "quarantined": 25])
        var probes: QuarantineProbes?
        func step() throws -> Bool {
            let transaction = Transaction(drive.ledger, at: drive.now)
            switch try ProbeQuarantine(transaction)(probes, in: app.id) {
            case .none: probes = nil
            case .waits(let next): probes = next
            case .isOver(let next):
                probes = next
                while try ClearSuspicion(Transaction(drive.ledger, at: drive.now))(in: app.id) {}
                return true
            }
            return false
        }
        // While the fault lasts, few pushes try, and less and less often.
        let before = drive.pushes.count
        for _ in 0..<3_600 / 15 {
            _ = try step()
            try pass(15, drive)
        }
        let tried = drive.pushes.count - before
        #expect((2 * QuarantineProbes.sample...12 * QuarantineProbes.sample).contains(tried), "\(tried)")
        #expect(drive.ledger.app(app.id)?.pauses == [:], "their refusals are counted already")
        drive.verdict = { _ in .accepted }
        var isOver = false
        for _ in 0..<2 * 3_600 / 15 where !isOver {
            isOver = try step()
            try pass(15, drive)
        }
        #expect(isOver)
        #expect(try phases(drive, app) == ["live": 60])
    }
}

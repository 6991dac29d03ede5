import APNSWire
import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct BudgetTests {
    @Test func `priority 10 spends the hourly budget, priority 5 does not`() throws {
        var phone = launchedPhone(settings: PhoneSettings(frequentPushesEnabled: false)) {
            $0.updateBudget.limit = 2
        }
        _ = try phone.start()
        for second in 1...2 {
            let time = Double(second)
            #expect(try phone.change("update", stamped: time, arriving: time, priority: .immediate).reason == nil)
        }
        #expect(try phone.change("update", stamped: 3, arriving: 3, priority: .immediate).reason == .budgetSpent)
        #expect(try phone.change("update", stamped: 4, arriving: 4, priority: .considerate).reason == nil)
        #expect(try phone.change("update", stamped: hour + 1, arriving: hour + 1, priority: .immediate).reason == nil)
        phone.change(settings: PhoneSettings(frequentPushesEnabled: true), now: at(hour + 1))
        for second in 2...9 {
            let time = hour + Double(second)
            #expect(try phone.change("update", stamped: time, arriving: time, priority: .immediate).reason == nil)
        }
    }

    @Test func `an update that is passed over counts, unless the switch says no`() throws {
        for spends in [true, false] {
            var phone = launchedPhone {
                $0.frequentUpdateBudget.limit = 2
                $0.ignoredUpdatesSpendBudget = spends
            }
            _ = try phone.start(at: 10)
            #expect(
                try phone.change("update", stamped: 5, arriving: 11, priority: .immediate).reason == .olderTimestamp)
            #expect(try phone.change("update", stamped: 12, arriving: 12, priority: .immediate).reason == nil)
            let last = try phone.change("update", stamped: 13, arriving: 13, priority: .immediate).reason
            #expect(last == (spends ? .budgetSpent : nil))
        }
    }

    @Test func `starts have a budget of their own`() throws {
        var phone = launchedPhone { $0.startBudget = PushBudget(limit: 1, window: 24 * hour) }
        _ = try phone.start(at: 0)
        #expect(try phone.start(at: hour).reason == .budgetSpent)
        _ = try phone.requestLocally(at: hour)
        #expect(try phone.start(at: 24 * hour).reason == nil)
    }

    @Test func `an app that does not support frequent updates has the smaller budget, whatever Settings say`() throws {
        for supports in [true, false] {
            var plain = configuration {
                $0.updateBudget.limit = 1
                $0.frequentUpdateBudget.limit = 2
            }
            plain.supportsFrequentUpdates = supports
            var phone = PhoneState(plain)
            phone.launch(now: at(0))
            _ = try phone.start()
            let effects = try (1...3).map {
                try phone.change("update", stamped: Double($0), arriving: Double($0), priority: .immediate).reason
            }
            #expect(effects == (supports ? [nil, nil, .budgetSpent] : [nil, .budgetSpent, .budgetSpent]))
            #expect(phone.frequentPushesEnabled == supports)
            _ = phone.takeEvents()
            phone.change(settings: PhoneSettings(frequentPushesEnabled: false), now: at(4))
            #expect(phone.takeEvents() == (supports ? [.frequentPushesEnabled(false)] : []))
        }
    }

    @Test func `an end with priority 10 spends the budget, unless the switch says no`() throws {
        for spends in [true, false] {
            var phone = launchedPhone {
                $0.frequentUpdateBudget.limit = 1
                $0.endsSpendBudget = spends
            }
            _ = try phone.start()
            _ = try phone.change("update", stamped: 1, arriving: 1, priority: .immediate)
            let end = try phone.change("end", stamped: 2, arriving: 2, priority: .immediate)
            #expect(end.reason == (spends ? .budgetSpent : nil))
        }
    }

    @Test
    func `a broadcast with priority 10 spends it once, however many cards it concerns, unless the switch says no`()
        throws
    {
        for spends in [true, false] {
            var phone = launchedPhone {
                $0.frequentUpdateBudget.limit = 2
                $0.broadcastsSpendBudget = spends
            }
            for _ in 1...2 { _ = try phone.request(LocalTests.asked(updates: .channel(final)), now: at(0)) }
            let reasons = (1...3).map {
                let goal = broadcast(payload("update", at: Double($0)), priority: .immediate)
                return phone.receive(goal, now: at(Double($0))).reason
            }
            #expect(reasons == [nil, nil, spends ? .budgetSpent : nil])
            #expect(phone.cards.map(\.changes) == (spends ? [3, 3] : [4, 4]))
        }
    }

    @Test func `In Low Power Mode a pushed start is dropped, and a running card is updated`() throws {
        var phone = launchedPhone()
        _ = try phone.start(at: 0)
        phone.change(settings: PhoneSettings(lowPowerMode: true), now: at(1))
        #expect(try phone.change("update", stamped: 2, arriving: 2, priority: .immediate).reason == nil)
        #expect(try phone.start(at: 3).reason == .lowPowerMode && phone.cards.count == 1)
        _ = try phone.requestLocally(at: 4)
        phone.change(settings: PhoneSettings(), now: at(5))
        #expect(try phone.start(at: 6).reason == nil && phone.cards.count == 3)
    }

    @Test func `where the switch says so, who goes on sending without budget waits for longer`() throws {
        for spends in [false, true] {
            var phone = launchedPhone {
                $0.startBudget = PushBudget(limit: 1, window: hour)
                $0.droppedPushesSpendBudget = spends
            }
            _ = try phone.start(at: 0)
            #expect(try phone.start(at: hour - 1).reason == .budgetSpent)
            #expect(try phone.start(at: hour).reason == (spends ? .budgetSpent : nil))
            #expect(try phone.start(at: 3 * hour).reason == nil)
        }
    }

    @Test func `within the reported limits a busy hour shows 236 updates at priority 10, and far more at priority 5`()
        throws
    {
        for (priority, taken) in [(APNSPriority.immediate, 236), (.considerate, 600)] {
            var phone = PhoneState(limited())
            phone.launch(now: at(0))
            _ = try phone.start()
            // Every six seconds for an hour.
            for index in 0..<600 {
                let time = 6 * Double(index) + 1
                _ = try phone.change("update", stamped: time, arriving: time, score: "\(index)", priority: priority)
            }
            let card = try required(phone.cards.first)
            #expect(card.changes == 1 + taken)
            // On the screen a content stays for fifteen seconds.
            #expect(card.shown.count <= 1 + 3_600 / 15 && card.shown.count >= taken * 6 / 15)
        }
    }

    @Test func `within the reported limits ten starts a day arrive by push, and others from the app`() throws {
        var phone = PhoneState(limited())
        phone.launch(now: at(0))
        for index in 0..<10 {
            #expect(try phone.start(at: Double(index)).reason == nil)
            phone.dismiss(card: try required(phone.cards.last?.id), now: at(Double(index)))
        }
        #expect(try phone.start(at: 10).reason == .budgetSpent)
        _ = try phone.requestLocally(at: 11)
    }

    private func limited() -> PhoneConfiguration { configuration { $0 = .narrow } }
}

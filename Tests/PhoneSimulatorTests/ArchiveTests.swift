import EyotContract
import Foundation
import PhoneSimulator
import Testing

struct ArchiveTests {
    @Test func `what a phone keeps comes back through JSON`() throws {
        var phone = launchedPhone {
            $0.renderInterval = 5
            $0.earlyDismissalDateCounts = true
        }
        _ = try phone.start(extra: [("dismissal-date", .unix(9 * hour))])
        _ = try phone.change("update", stamped: 1, arriving: 1, score: "1-0")
        phone.showCards(ofOtherApps: 2, now: at(1))
        let restored = PhoneState(phone.configuration, restoring: try decode(JSONEncoder().encode(phone.archive)))
        #expect(restored.cards == phone.cards)
        #expect(restored.cards.first?.shown.content != restored.cards.first?.content)
        #expect(restored.cardsOfOtherApps == 2)
    }

    @Test func `a phone that is offline comes back with the channels that Apple knew of`() throws {
        var phone = launchedPhone()
        _ = try phone.start(extra: [("input-push-channel", .string(final))])
        #expect(phone.subscribedChannels == [final])
        phone.goOffline(now: at(1))
        var restored = PhoneState(phone.configuration, restoring: try decode(JSONEncoder().encode(phone.archive)))
        #expect(restored.subscribedChannels == [final])
        #expect(restored.takeEvents().contains(.subscribed(channel: final)))
        #expect(restored.receive(broadcast(payload("update", at: 2, score: "1-0")), now: at(2)) == .stored)
        restored.goOnline(now: at(3))
        #expect(restored.score == "1-0")
    }

    @Test func `what is spent of the budgets stays spent`() throws {
        var phone = launchedPhone {
            $0.updateBudget = PushBudget(limit: 1, window: hour)
            $0.frequentUpdateBudget = $0.updateBudget
            $0.startBudget = PushBudget(limit: 1, window: hour)
        }
        _ = try phone.start()
        _ = try phone.change("update", stamped: 1, arriving: 1, priority: .immediate)
        var restored = PhoneState(phone.configuration, restoring: try decode(JSONEncoder().encode(phone.archive)))
        #expect(
            try restored.change("update", stamped: 2, arriving: 2, priority: .immediate).reason == .budgetSpent)
        #expect(try restored.start(at: 3).reason == .budgetSpent)
    }

    /// As phones were kept before they had channels, a screen and other apps beside theirs.
    private static let older = """
        {"isOnline":true,"installation":1,"random":{"state":1},"startToken":"aa","isForceQuit":false,
        "settings":{"clockSkew":0,"activitiesEnabled":true,"frequentPushesEnabled":true,"allowed":"automatically"},
        "time":693068400,"retiredTokens":[{"token":"bb","card":"CARD","since":693068400}],"startedCards":1,
        "generation":1,"hasAllowed":false,"hasRebooted":false,
        "cards":[{"id":"CARD","type":"Match","attributes":"{\\"home\\":\\"Argentina\\"}","origin":"remote",
        "updates":{"token":{}},"number":1,"state":"{\\"score\\":\\"3-3\\"}","relevanceScore":0,"phase":"active",
        "startedAt":693068400,"timestamp":693068400,"updateToken":"cc","changes":2,"alerts":1,"isTransient":false}]}
        """

    @Test func `a phone of an older archive has its card, token and dead token`() throws {
        var phone = PhoneState(configuration(), restoring: try decode(Data(Self.older.utf8)))
        #expect(phone.score == "3-3" && phone.time == kickOff)
        let card = try required(phone.cards.first)
        #expect(card.shown == .init(content: card.content, since: kickOff))
        #expect(card.updateToken?.hex == "cc" && phone.startToken?.hex == "aa" && phone.cardsOfOtherApps == 0)
        let dead = try required(PushToken(hex: "bb"))
        #expect(phone.takeEvents().contains(.tokenDied(dead, since: kickOff)))
        #expect(phone.receive(push(dead, payload("update", at: 1)), now: at(1)).reason == .noSuchCard)
    }

    private func decode(_ bytes: Data) throws -> PhoneArchive {
        try JSONDecoder().decode(PhoneArchive.self, from: bytes)
    }
}

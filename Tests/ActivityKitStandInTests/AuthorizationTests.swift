import ActivityKitStandIn
import Foundation
import PhoneSimulator
import Testing

struct AuthorizationTests {
    private let test = TestPhone()

    private struct StartMatch: LiveActivityIntent {
        func perform() async throws {
            _ = try Activity.request(attributes: Match(teams: "A – B"), content: content(0, 0))
        }
    }

    private func request() throws -> Activity<Match> {
        try Activity.request(attributes: Match(teams: "A – B"), content: content(0, 0))
    }

    @Test func `in the background only an intent may start an activity`() async throws {
        try await test.app {
            test.phone.moveToBackground()
            #expect(throws: ActivityAuthorizationError.visibility) { try request() }
            try await StartMatch().performBySystem()
            #expect(Activity<Match>.activities.count == 1)
        }
    }

    @Test func `with Live Activities off a request is denied, and the app hears of the switch`() async throws {
        await test.app {
            let info = ActivityAuthorizationInfo()
            #expect(info.areActivitiesEnabled && info.frequentPushesEnabled)
            var enabled = info.activityEnablementUpdates.makeAsyncIterator()
            var frequent = info.frequentPushEnablementUpdates.makeAsyncIterator()
            test.phone.changeSettings {
                $0.activitiesEnabled = false
                $0.frequentPushesEnabled = false
            }
            #expect(await enabled.next() == false)
            #expect(await frequent.next() == false)
            #expect(!info.areActivitiesEnabled && !info.frequentPushesEnabled)
            #expect(throws: ActivityAuthorizationError.denied) { try request() }
        }
    }

    @Test func `attributes over 4 KB are refused`() async throws {
        await test.app {
            #expect(throws: ActivityAuthorizationError.attributesTooLarge) {
                try Activity.request(
                    attributes: Match(teams: String(repeating: "x", count: 4_096)), content: content(0, 0))
            }
        }
    }

    @Test func `an app has five activities at most`() async throws {
        try await test.app {
            for _ in 0..<5 { _ = try request() }
            #expect(throws: ActivityAuthorizationError.targetMaximumExceeded) { try request() }
        }
    }

    @Test func `a phone has a limit for all apps, where the switch names one`() async throws {
        let test = TestPhone { $0.maximumCardsOnPhone = 3 }
        try await test.app {
            test.phone.showCards(ofOtherApps: 2)
            _ = try request()
            #expect(throws: ActivityAuthorizationError.globalMaximumExceeded) { try request() }
        }
    }

    @Test func `in a task without a phone nothing is there and nothing is possible`() async {
        #expect(throws: ActivityAuthorizationError.unsupported) { try request() }
        #expect(Activity<Match>.activities.isEmpty)
        #expect(!ActivityAuthorizationInfo().areActivitiesEnabled)
        #expect(await Activity<Match>.activityUpdates.makeAsyncIterator().next() == nil)
        #expect(await Activity<Match>.pushToStartTokenUpdates.makeAsyncIterator().next() == nil)
    }

    @Test func `a scheduled activity is pending until its time has come`() async throws {
        try await test.app {
            let alert = AlertConfiguration(title: "Kick-off", body: "A – B", sound: .named("whistle"))
            let activity = try Activity.request(
                attributes: Match(teams: "A – B"), content: content(0, 0), style: .standard,
                alertConfiguration: alert, start: kickOff.addingTimeInterval(60))
            #expect(activity.activityState == .pending)
            test.clock.advance(by: 60)
            test.phone.advance()
            #expect(activity.activityState == .active)
        }
    }

    @Test(
        "An older phone lacks what came later, and says so in its log",
        arguments: [IOSVersion(16, 1), IOSVersion(16, 2), IOSVersion(17, 2), IOSVersion(18), IOSVersion(26)])
    func versions(_ version: IOSVersion) async throws {
        let test = TestPhone(os: version)
        try await test.app {
            #expect(ActivityKitMember.content.isAvailableHere == (version >= IOSVersion(16, 2)))
            #expect((Activity<Match>.pushToStartToken != nil) == (version >= IOSVersion(17, 2)))
            guard version >= IOSVersion(16, 2) else {
                #expect(throws: ActivityAuthorizationError.unsupported) { try request() }
                #expect(test.phone.state.faults.entries.last == "ActivityContent needs iOS 16.2, this phone has 16.1")
                return
            }
            let activity = try request()
            await activity.update(content(1, 0), timestamp: kickOff.addingTimeInterval(1))
            #expect(activity.content.state.home == (version >= IOSVersion(17, 2) ? 1 : 0))
            let styled = try? Activity.request(
                attributes: Match(teams: "A – B"), content: content(0, 0), style: .transient)
            #expect((styled != nil) == (version >= IOSVersion(18)))
            let subscribed = try? Activity.request(
                attributes: Match(teams: "A – B"), content: content(0, 0), pushType: .channel("dGhlIGZpbmFs"))
            #expect((subscribed != nil) == (version >= IOSVersion(18)))
            let words = "PushType.channel needs iOS 18.0, this phone has \(version)"
            #expect((test.phone.state.faults.entries.last == words) == (version < IOSVersion(18)))
        }
    }

    @Test func `errors have words and numbers`() {
        let error = ActivityAuthorizationError.visibility as any Error as NSError
        #expect(error.domain == ActivityAuthorizationError.errorDomain)
        #expect(error.code == ActivityAuthorizationError.visibility.errorCode)
        #expect(ActivityAuthorizationError.visibility.failureReason?.isEmpty == false)
    }
}

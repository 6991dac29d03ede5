import ActivityKitStandIn
import Foundation
import PhoneSimulator
import Testing

struct ActivityTests {
    private let test = TestPhone()

    private func started() throws -> Activity<Match> {
        try Activity.request(attributes: Match(teams: "Argentina – France"), content: content(0, 0), pushType: .token)
    }

    @Test func `a requested activity shows its content, and gets its token through the sequence`() async throws {
        try await test.app {
            let activity = try started()
            #expect(activity.attributes.teams == "Argentina – France")
            #expect(activity.content.state == .init(home: 0, away: 0))
            #expect(activity.activityState == .active)
            #expect(activity.pushToken == nil)
            let token = await activity.pushTokenUpdates.makeAsyncIterator().next()
            #expect(token?.count == 80)
            #expect(activity.pushToken == token)
            #expect(Activity<Match>.activities.map(\.id) == [activity.id])
        }
    }

    @Test func `a pushed update arrives decoded, a date as seconds since 2001`() async throws {
        try await test.app {
            let activity = try started()
            let updates = activity.contentUpdates.makeAsyncIterator()
            #expect(await updates.next()?.state == .init(home: 0, away: 0))
            let token = await activity.pushTokenUpdates.makeAsyncIterator().next()
            try test.push(token, #""event":"update","content-state":{"home":1,"away":0,"restart":0}"#)
            let restart = Date(timeIntervalSince1970: 978_307_200)
            #expect(await updates.next()?.state == .init(home: 1, away: 0, restart: restart))
            #expect(activity.content.state.restart == restart)
        }
    }

    @Test func `what does not decode is not shown, and the phone's log says why`() async throws {
        try await test.app {
            let activity = try started()
            let token = await activity.pushTokenUpdates.makeAsyncIterator().next()
            let date = try test.push(
                token, #""event":"update","content-state":{"home":1,"away":0,"restart":"2022-12-18T16:00:00Z"}"#)
            let words = try required(date.reason?.explanation)
            #expect(words.hasPrefix("Unable to decode content state: restart: "))
            let name = try test.push(token, #""event":"update","content-state":{"home":1,"away_team":0}"#)
            #expect(name.reason?.explanation == "Unable to decode content state: away: is missing")
            let fraction = try test.push(token, #""event":"update","content-state":{"home":45.5,"away":0}"#)
            #expect(
                fraction.reason?.explanation == "Unable to decode content state: home: 45.5 does not decode as Int")
            #expect(activity.content.state.home == 0)
        }
    }

    @Test func `update and end change what is shown, in the background too`() async throws {
        try await test.app {
            let activity = try started()
            let states = activity.activityStateUpdates
            let iterator = states.makeAsyncIterator()
            #expect(await iterator.next() == .active)
            test.phone.moveToBackground()
            await activity.update(
                content(2, 0, staleDate: kickOff.addingTimeInterval(60)),
                alertConfiguration: AlertConfiguration(title: "Goal", body: "\(2)–0", sound: .default))
            #expect(activity.content.state.home == 2)
            #expect(test.phone.state.cards.first?.alerts == 1)
            test.clock.advance(by: 60)
            #expect(activity.activityState == .stale)
            #expect(await iterator.next() == .stale)
            await activity.end(content(4, 2), dismissalPolicy: .after(test.clock.now.addingTimeInterval(10)))
            #expect(await iterator.next() == .ended)
            #expect(activity.content.state.away == 2)
            #expect(Activity<Match>.activities.count == 1)
            test.clock.advance(by: 10)
            test.phone.advance()
            #expect(await iterator.next() == .dismissed)
            #expect(await iterator.next() == nil)
            #expect(Activity<Match>.activities.isEmpty)
        }
    }

    @Test func `a timestamp older than what is shown is ignored`() async throws {
        try await test.app {
            let activity = try started()
            await activity.update(content(1, 0), timestamp: kickOff.addingTimeInterval(10))
            await activity.update(content(0, 1), timestamp: kickOff.addingTimeInterval(9))
            #expect(activity.content.state == .init(home: 1, away: 0))
            await activity.end(nil, dismissalPolicy: .immediate, timestamp: kickOff.addingTimeInterval(11))
            #expect(activity.activityState == .dismissed)
        }
    }

    @Test func `a remote start is seen by an app that was asleep`() async throws {
        let process = test.phone.launch()
        test.phone.terminateBySystem()
        try test.pushStart()
        let woken = try required(test.phone.process)
        #expect(woken.generation == process.generation + 1)
        await PhoneProcess.$current.withValue(woken) {
            let activity = await Activity<Match>.activityUpdates.makeAsyncIterator().next()
            #expect(activity?.attributes.teams == "Argentina – France")
            #expect(activity?.activityState == .active)
        }
    }

    @Test func `activityUpdates yields what runs, then local and remote starts`() async throws {
        try await test.app {
            let first = try started()
            let updates = Activity<Match>.activityUpdates.makeAsyncIterator()
            #expect(await updates.next()?.id == first.id)
            let second = try started()
            #expect(await updates.next()?.id == second.id)
            try test.pushStart(state: #"{"home":3,"away":3}"#)
            #expect(await updates.next()?.content.state.home == 3)
        }
    }

    @Test func `a rotated token comes through the sequence`() async throws {
        try await test.app {
            let activity = try started()
            let tokens = activity.pushTokenUpdates.makeAsyncIterator()
            let first = await tokens.next()
            test.phone.rotateToken(ofCard: activity.id)
            let second = await tokens.next()
            #expect(second != nil && second != first)
            #expect(activity.pushToken == second)
        }
    }

    @Test func `an activity on a channel has no token and shows what is broadcast there`() async throws {
        let clock = test.clock
        let fleet = PhoneFleet(clock: { clock.now })
        let phone = try required(
            fleet.add(.init(id: "fan", bundleID: "dev.eyot.matchday", types: [.decoding(Match.self)])))
        try await PhoneProcess.$current.withValue(phone.launch()) {
            let activity = try Activity.request(
                attributes: Match(teams: "Argentina – France"), content: content(0, 0),
                pushType: .channel("dGhlIGZpbmFs"))
            let updates = activity.contentUpdates.makeAsyncIterator()
            #expect(await updates.next()?.state.home == 0)
            let second = Int(kickOff.timeIntervalSince1970) + 1
            let aps = #"{"timestamp":\#(second),"event":"update","content-state":{"home":1,"away":0}}"#
            let goal = DeliveredPush(
                channel: "dGhlIGZpbmFs", keepsNewest: false, bundleID: "dev.eyot.matchday",
                payload: Array("{\"aps\":\(aps)}".utf8))
            #expect(fleet.broadcast(goal, environment: .production) == 1)
            #expect(await updates.next()?.state.home == 1)
            #expect(activity.pushToken == nil)
            #expect(throws: ActivityAuthorizationError.persistenceFailure) {
                try Activity.request(
                    attributes: Match(teams: "A – B"), content: content(0, 0), pushType: .channel("no base64"))
            }
        }
    }

    @Test func `the start token is the same for every type`() async throws {
        struct Race: ActivityAttributes {
            struct ContentState: Codable, Hashable {}
        }
        await test.app {
            let token = await Activity<Match>.pushToStartTokenUpdates.makeAsyncIterator().next()
            #expect(token?.count == 80)
            #expect(Activity<Race>.pushToStartToken == token)
            let tokens = Activity<Race>.pushToStartTokenUpdates.makeAsyncIterator()
            #expect(await tokens.next() == token)
            test.phone.rotateStartToken()
            #expect(await tokens.next() == Activity<Match>.pushToStartToken)
        }
    }

    @Test func `two phones in one process know nothing of each other`() async throws {
        let other = TestPhone("phone-2")
        try await test.app { _ = try started() }
        try await other.app {
            #expect(Activity<Match>.activities.isEmpty)
            let activity = try started()
            #expect(Activity<Match>.activities.map(\.id) == [activity.id])
        }
        let shown = [test, other].map { $0.phone.state.cards.map(\.id) }
        #expect(shown[0].count == 1 && shown[1].count == 1 && shown[0] != shown[1])
    }

    @Test func `code of a process that is over sees and changes nothing`() async throws {
        try await test.app {
            let activity = try started()
            let contents = activity.contentUpdates
            let contentIterator = contents.makeAsyncIterator()
            let tokenIterator = activity.pushTokenUpdates.makeAsyncIterator()
            #expect(await contentIterator.next() != nil)
            let token = await tokenIterator.next()
            test.phone.forceQuit()
            try test.push(token, #""event":"update","content-state":{"home":1,"away":0}"#)
            #expect(await contentIterator.next() == nil)
            #expect(await tokenIterator.next() == nil)
            await activity.update(content(9, 9))
            #expect(activity.content.state == .init(home: 0, away: 0))
            #expect(Activity<Match>.activities.isEmpty)
            #expect(Activity<Match>.pushToStartToken == nil)
            #expect(throws: ActivityAuthorizationError.missingProcessIdentifier) { try started() }
        }
        try await test.app {
            let activity = try required(Activity<Match>.activities.first)
            #expect(activity.content.state.home == 1)
        }
    }

    @Test func `the spellings of iOS 16 point 1 still work`() async throws {
        let app: any OldAppRunning = OldApp()
        try await app.run(on: test)
    }
}

/// Uses what has long been deprecated, as old apps do.
private struct OldApp: OldAppRunning {
    @available(*, deprecated)
    func run(on test: TestPhone) async throws {
        try await test.app {
            let activity = try Activity.request(
                attributes: Match(teams: "A – B"), contentState: .init(home: 0, away: 0), pushType: .token)
            let states = activity.contentStateUpdates.makeAsyncIterator()
            #expect(await states.next()?.home == 0)
            await activity.update(using: .init(home: 1, away: 0))
            #expect(await states.next()?.home == 1)
            #expect(activity.contentState.home == 1)
            await activity.end(using: .init(home: 2, away: 0), dismissalPolicy: .immediate)
            #expect(activity.activityState == .dismissed)
        }
    }
}

/// Lets a test call deprecated code without a warning.
private protocol OldAppRunning {
    func run(on test: TestPhone) async throws
}

import EyotContract
import EyotKitBraze
import Foundation
import PhoneSimulator
import Testing

@Suite("An app that comes from Braze: what goes wrong, and who uses it", .timeLimit(.minutes(10)))
struct BrazePersonTests {
    private let rig = Rig(types: ["TaxiAttributes"])
    private typealias ErrorEvent = Braze.LiveActivities.ErrorEvent

    private func taxi() throws -> Activity<TaxiAttributes> {
        try rig.card(TaxiAttributes(plate: "EY 08", brazeActivityId: nil), .init(minutes: 5))
    }

    private func next(_ errors: AsyncStream<ErrorEvent>) async -> ErrorEvent? {
        for await error in errors { return error }
        return nil
    }

    @Test("hears of a tag that cannot be one", arguments: ["", String(repeating: "é", count: 129), "a\u{0}b"])
    func tag(tag: String) async throws {
        try await rig.app { _ in
            let braze = Braze()
            let (errors, error) = AsyncStream.makeStream(of: ErrorEvent.self)
            let subscription = braze.liveActivities.subscribeToErrors { error.yield($0) }
            let activity = try taxi()
            let id = activity.id
            #expect(braze.liveActivities.launchActivity(pushTokenTag: tag, activity: activity) == nil)
            #expect(
                await next(errors) == .invalidPushTokenTag(activityId: id, activityType: "TaxiAttributes", tag: tag))
            await activity.end(nil, dismissalPolicy: .immediate)
            #expect(braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: activity) == nil)
            #expect(
                await next(errors)
                    == .activityNotFound(activityId: id, activityType: "TaxiAttributes", pushTokenTag: "ride-8"))
            subscription.cancel()
        }
    }

    @Test func `takes a tag of 256 bytes`() async throws {
        try await rig.app { _ in
            let tag = String(repeating: "é", count: 128)
            Braze().liveActivities.launchActivity(pushTokenTag: tag, activity: try taxi())
            await rig.server.wait { $0.named == [tag] }
        }
    }

    @Test func `hears which tokens wait for a server that is away, and which it will never take`() async throws {
        await rig.server.plan(.register, [.status(503, retryAfter: 60)])
        await rig.server.refuse { if case .setUpdateToken = $0.action { true } else { false } }
        try await rig.app { eyot in
            let braze = Braze()
            let (errors, error) = AsyncStream.makeStream(of: ErrorEvent.self)
            let activity = try taxi()
            let id = activity.id
            braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: activity)
            try await eyot.event { if case .card(_, .tokenSeen) = $0 { true } else { false } }
            await rig.server.plan(.register, [.lost])
            let subscription = braze.liveActivities.subscribeToErrors { error.yield($0) }
            rig.clock.advance(by: 60)
            guard case .registrationFailed(id, "TaxiAttributes", "ride-8", true, _) = await next(errors) else {
                Issue.record("the server is away")
                return
            }
            eyot.retryNow()
            while true {
                let error = await next(errors)
                if case .registrationFailed(id, "TaxiAttributes", "ride-8", false, let reason) = error {
                    #expect(reason.contains("not this one"))
                    break
                }
                try #require(error != nil, "the server refuses the token")
            }
            subscription.cancel()
        }
    }

    @Test func `takes types back by either name, and hears where there is nothing to take back`() async throws {
        try await rig.app { _ in
            let braze = Braze()
            await #expect(throws: Braze.PushUnregistrationError.noPushToStartTokens) {
                try await braze.liveActivities.unregisterPushToStart()
            }
            for types in [["taxi"], ["TaxiAttributes"], nil] {
                braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
                await rig.server.wait { $0.startable == ["TaxiAttributes"] }
                try await braze.liveActivities.unregisterPushToStart(types: types)
                #expect(await rig.server.books.startable.isEmpty)
            }
        }
    }

    @Test func `hears that a server was away when it took a type back, which is told to it later`() async throws {
        try await rig.app { _ in
            let braze = Braze()
            braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            await rig.server.wait {
                $0.startable == ["TaxiAttributes"]
                    && $0.actions.contains(.running(type: "TaxiAttributes", instances: []))
            }
            await rig.server.plan(.changes, [.lost])
            let (results, result) = AsyncStream.makeStream(of: Result<Void, Braze.PushUnregistrationError>.self)
            braze.liveActivities.unregisterPushToStart(completion: { result.yield($0) })
            for await found in results {
                if case .failure(.requestFailed(nil, true, _)) = found { break }
                Issue.record("\(found)")
            }
            _ = await rig.clock.nextSleep()
            rig.clock.advance(by: 3_600)
            await rig.server.wait { $0.startable.isEmpty }
        }
    }

    @Test func `logs a person out with their start tokens and cards, and does nothing until it is enabled again`()
        async throws
    {
        try await rig.app { _ in
            let braze = Braze()
            braze.changeUser(userId: "user-1")
            braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            let activity = try taxi()
            let id = activity.id
            braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: activity)
            await rig.server.wait { $0.startable == ["TaxiAttributes"] && $0.named == ["ride-8"] }
            try await braze.logout()
            await rig.server.wait { $0.startable.isEmpty && $0.actions.contains(.logout) }
            await rig.server.wait { $0.actions.contains { $0.isEvent(.ended, of: id) } }
            #expect(!braze.enabled)
            #expect(braze.liveActivities.launchActivity(pushTokenTag: "ride-9", activity: try taxi()) == nil)
            await #expect(throws: Braze.PushUnregistrationError.sdkDisabled) {
                try await braze.liveActivities.unregisterPushToStart()
            }
            braze.enabled = true
            braze.changeUser(userId: "user-2")
            await rig.server.wait { $0.actions.last == .identify(user: "user-2") }
        }
    }

    @Test func `stops telling the start token by cancelling its task, and the server keeps it`() async throws {
        try await rig.app { eyot in
            let braze = Braze()
            let task = braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            await rig.server.wait { $0.startable == ["TaxiAttributes"] }
            task.cancel()
            await task.value
            eyot.identify("user-1")
            await rig.server.wait { $0.actions.last == .identify(user: "user-1") }
            let told = await rig.server.books.actions.count { $0.startToken != nil }
            rig.phone.rotateStartToken()
            eyot.identify("user-2")
            await rig.server.wait { $0.actions.last == .identify(user: "user-2") }
            #expect(await rig.server.books.actions.count { $0.startToken != nil } == told)
            #expect(await rig.server.books.startable == ["TaxiAttributes"])
        }
    }
}

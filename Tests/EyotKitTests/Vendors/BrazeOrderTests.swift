import EyotContract
import EyotKitBraze
import Foundation
import PhoneSimulator
import Testing

@Suite("An app that comes from Braze: calls that follow each other at once", .timeLimit(.minutes(10)))
struct BrazeOrderTests {
    private let rig = Rig(types: ["TaxiAttributes"])
    private typealias Failure = Braze.PushUnregistrationError

    private func taxi() throws -> Activity<TaxiAttributes> {
        try rig.card(TaxiAttributes(plate: "EY 08", brazeActivityId: nil), .init(minutes: 5))
    }

    @Test(arguments: 0..<5) func `a type that has just been registered can be taken back`(_: Int) async throws {
        try await rig.app { _ in
            let braze = Braze()
            braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            try await braze.liveActivities.unregisterPushToStart(types: ["taxi"])
            #expect(await rig.server.books.startable.isEmpty)
        }
    }

    @Test(arguments: 0..<5) func `a launch may begin with a logout`(_: Int) async throws {
        try await rig.app { _ in
            let braze = Braze()
            braze.changeUser(userId: "user-1")
            braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            await rig.server.wait { $0.startable == ["TaxiAttributes"] }
        }
        try await rig.app { _ in
            try await Braze().logout()
            await rig.server.wait { $0.startable.isEmpty && $0.actions.last == .logout }
        }
    }

    @Test func `a launch may begin with a newer signature`() async throws {
        try await rig.app { _ in
            Braze().changeUser(userId: "user-1", sdkAuthSignature: "one")
            await rig.server.wait { $0.actions == [.identify(user: "user-1", signature: .init("one"))] }
        }
        try await rig.app { _ in
            Braze().set(sdkAuthenticationSignature: "two")
            await rig.server.wait { $0.actions.last == .identify(user: "user-1", signature: .init("two")) }
        }
    }

    @Test func `taking a type back is over where the app registers it again meanwhile`() async throws {
        try await rig.app { eyot in
            let braze = Braze()
            braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            await rig.server.wait {
                $0.startable == ["TaxiAttributes"]
                    && $0.actions.contains(.running(type: "TaxiAttributes", instances: []))
            }
            await rig.server.hold(.changes)
            let (results, result) = AsyncStream.makeStream(of: Result<Void, Failure>.self)
            braze.liveActivities.unregisterPushToStart(completion: { result.yield($0) })
            try await eyot.event { $0 == .startToken(type: "TaxiAttributes", .removed) }
            braze.liveActivities.registerPushToStart(forType: Activity<TaxiAttributes>.self, name: "taxi")
            try await eyot.event { $0 == .startToken(type: "TaxiAttributes", .seen) }
            await rig.server.release()
            for await found in results {
                if case .failure(let error) = found { Issue.record(error) }
                break
            }
            await rig.server.wait { $0.startable == ["TaxiAttributes"] }
        }
    }

    @Test func `the task of a card that went at once, or made way at once, ends`() async throws {
        try await rig.app { _ in
            let braze = Braze()
            let gone = try taxi()
            let task = braze.liveActivities.launchActivity(pushTokenTag: "ride-7", activity: gone)
            await gone.end(nil, dismissalPolicy: .immediate)
            await task?.value
            let older = braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: try taxi())
            let newer = braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: try taxi())
            await older?.value
            newer?.cancel()
            await newer?.value
        }
    }
}

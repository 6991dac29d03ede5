import EyotContract
import EyotKitAirship
import EyotKitBraze
import EyotKitInsider
import EyotKitNetmera
import Foundation
import PhoneSimulator
import Testing

@Suite("Calls by vendors' names", .timeLimit(.minutes(10)))
struct BeforeConfiguringTests {
    private let rig = Rig(
        types: ["ParcelAttributes", "CrossingAttributes", "TaxiAttributes", "TableAttributes"])

    /// The only test that makes the instance of the whole process.
    @Test func `are kept until Eyot is configured`() async throws {
        try await PhoneProcess.$current.withValue(rig.phone.launch()) {
            Netmera.register(forType: Activity<ParcelAttributes>.self, name: "parcels")
            Netmera.observeActivity(
                try rig.card(ParcelAttributes(netmeraGroupId: "parcel-8", courier: "Ada"), .init(stopsLeft: 9)))
            Airship.channel.restoreLiveActivityTracking {
                await $0.restore(forType: Activity<CrossingAttributes>.self)
            }
            var statuses = Airship.channel.liveActivityRegistrationStatusUpdates(name: "dover").makeAsyncIterator()
            #expect(await statuses.next() == .notTracked)
            Airship.channel.trackLiveActivity(
                try rig.card(CrossingAttributes(crossing: "dover"), .init(knots: 12)), name: "dover")
            let braze = Braze()
            let (errors, error) = AsyncStream.makeStream(of: Braze.LiveActivities.ErrorEvent.self)
            let subscription = braze.liveActivities.subscribeToErrors { error.yield($0) }
            let taxi = try rig.card(TaxiAttributes(plate: "EY 08", brazeActivityId: nil), .init(minutes: 5))
            braze.liveActivities.launchActivity(pushTokenTag: "ride-8", activity: taxi)
            try await Insider.liveActivities.resumeActivities(forType: Activity<TableAttributes>.self)
            _ = try rig.card(
                TableAttributes(insiderLiveActivityId: .custom("table-8"), restaurant: "Chez Nous"),
                .init(guestsAhead: 4))
            #expect(Eyot.shared == nil)

            var configuration = rig.configuration
            // No server listens at this address.
            configuration.server = try #require(URL(string: "http://127.0.0.1:9"))
            let eyot = Eyot.configure(configuration)
            #expect(Eyot.configure(configuration) === eyot)
            var followed: Set<String> = []
            var seen: Set<String> = []
            for await event in eyot.events {
                if case .card(let card, .followed) = event { followed.insert(card.name) }
                if case .startToken(let type, .seen) = event { seen.insert(type) }
                if followed.count == 4, seen.count == 2 { break }
            }
            #expect(followed == ["parcel-8", "dover", "ride-8", "table-8"])
            #expect(seen == ["ParcelAttributes", "CrossingAttributes"])
            #expect(await statuses.next() == .pending)
            for await error in errors {
                if case .registrationFailed(_, _, "ride-8", true, _) = error { break }
            }
            subscription.cancel()
            eyot.stop()
        }
    }
}

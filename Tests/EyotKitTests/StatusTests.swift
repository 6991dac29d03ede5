import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("The status of a card", .timeLimit(.minutes(10)))
struct StatusTests {
    private let rig = Rig()

    @Test func `begins with what holds and tells every change, by name and by instance`() async throws {
        try await rig.launch { eyot in
            var byName = eyot.statusUpdates(of: "final").makeAsyncIterator()
            #expect(await byName.next() == .notTracked)
            await rig.server.hold(.changes)
            let activity = try rig.request("final")
            let instance = activity.id
            eyot.observe(activity)
            #expect(await byName.next() == .pending)
            var byInstance = eyot.statusUpdates(ofInstance: instance).makeAsyncIterator()
            #expect(await byInstance.next() == .pending)
            await rig.server.wait { $0.requests.contains { $0.route == .changes } }
            await rig.server.release()
            #expect(await byName.next() == .registered)
            #expect(await byInstance.next() == .registered)
            #expect(eyot.status(of: "final") == .registered)
            rig.phone.dismiss(card: instance)
            #expect(await byName.next() == .notTracked)
            #expect(await byInstance.next() == .notTracked)
        }
    }

    @Test func `of a name goes on with the card that takes it, and the card before is not tracked`() async throws {
        try await rig.launch { eyot in
            let older = try rig.request("final").id
            eyot.resume(MatchAttributes.self)
            try await eyot.event {
                if case .card(let card, .tokenConfirmed) = $0 { card.instance == older } else { false }
            }
            var byName = eyot.statusUpdates(of: "final").makeAsyncIterator()
            var byOlder = eyot.statusUpdates(ofInstance: older).makeAsyncIterator()
            #expect(await byName.next() == .registered)
            #expect(await byOlder.next() == .registered)
            _ = try rig.request("final")
            #expect(await byName.next() == .pending)
            #expect(await byOlder.next() == .notTracked)
            #expect(await byName.next() == .registered)
        }
    }

    @Test func `a card that the app names after it was found goes by the app's name`() async throws {
        try await rig.launch { eyot in
            eyot.resume(MatchAttributes.self)
            let activity = try rig.request("final")
            let instance = activity.id
            try await eyot.event { $0.follows("final") }
            eyot.observe(activity, name: "given")
            try await eyot.event { $0.follows("given") }
            #expect(eyot.status(of: "final") == .notTracked)
            #expect(eyot.status(of: "given") != .notTracked)
            await rig.server.wait { books in
                books.actions.contains { $0.card?.name == "given" && $0.updateToken?.instance == instance }
            }
        }
    }
}

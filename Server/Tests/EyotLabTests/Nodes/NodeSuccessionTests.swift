import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import Testing

/// A standby that takes the place of the nodes' database. What the phones show decides.
@Suite("Nodes after their database's standby took over", .timeLimit(.minutes(10)))
struct NodeSuccessionTests {
    @Test func `No card is started twice, although the standby does not know that starts have left (R6)`() async throws
    {
        let pair = try await PostgresPair.start(isSynchronous: false)
        try await NodesRig.run(.existing(pair.url.text), phonesPerGroup: 1) { rig in
            let moment = Date().addingTimeInterval(60)
            try await rig.start(at: moment)
            try await pair.cutOff()
            try #require(Date() < moment, "the standby may know of starts that have left")
            try await rig.lab.untilShown(score: 0)
            #expect(Date() >= moment)
            try await rig.untilTokens()
            try await pair.failOver()
            try await rig.untilInDoubt()
            // The standby does not know the cards' tokens either.
            for phone in rig.lab.phones {
                phone.forceQuit()
                phone.launch()
            }
            try await rig.untilTokens()
            try await rig.declareAll(score: 1)
            try await rig.lab.untilShown(score: 1)
            rig.expectOneCard()
        }
        await pair.stop()
    }
}

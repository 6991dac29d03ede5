import APNSSimulator
import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

/// The numbers of a report, against the phones asked one by one.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The report against the phones` {
    private func report(_ lab: Lab) async throws -> JSONObject {
        let answer = try await lab.api.call("GET", APIClient.path("v1", "activities", Lab.activity, "report"))
        return try #require(answer.body.object, "\(answer.problem)")
    }

    /// The updates that Apple has accepted, also those with an answer that did not arrive.
    private static func updatesAccepted(by apple: APNSSimulator) -> Int {
        apple.requests(limit: .max).count { request in
            guard request.verdict.reason == nil else { return false }
            return String(decoding: request.payload, as: UTF8.self).contains(#""event":"update""#)
        }
    }

    @Test func `Cards that phones have, ended and dismissed are as many as the report says`() async throws {
        try await Rig.run(phones: 8) { lab in
            try await lab.start()
            try await lab.untilTokens(8)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            for phone in lab.phones.prefix(3) { try phone.dismiss(.only) }
            try await lab.untilPhase("dismissed", 3)
            let update = try await lab.declare("update", score: 2)
            try await lab.untilDone(update)
            let running = lab.phones.count { phone in phone.cardsInView.contains { $0.phase.isRunning } }
            let shows = lab.phones.count { $0.shows(score: 2) }
            var found = try await report(lab)
            #expect(found["funnel"]?.object?["appeared"]?.integer == lab.phones.count)
            #expect(found["funnel"]?.object?["withToken"]?.integer == lab.phones.count)
            #expect(found["funnel"]?.object?["startsAccepted"]?.integer == lab.phones.count)
            #expect(found["cards"]?.object?["live"]?.integer == running)
            #expect(found["dismissed"]?.object?["count"]?.integer == lab.phones.count - running)
            // Each phone that shows the newest state was sent two updates, and each other one the first. A push with a
            // late verdict is sent again, so Apple may have accepted more of them.
            let updates = try #require(found["accepted"]?.object?["updates"]?.integer)
            #expect(updates >= lab.phones.count + shows)
            #expect(updates <= Self.updatesAccepted(by: lab.simulator))
            let systems = Dictionary(grouping: lab.phones) { String($0.state.configuration.os.major) }
            for (major, phones) in systems {
                let row = found["by"]?.object?["os"]?.object?[major]?.object
                #expect(row?["appeared"]?.integer == phones.count, "iOS \(major)")
            }
            let end = try await lab.declare("end", score: 3)
            try await lab.untilDone(end)
            try await lab.untilPhase("ended", running)
            found = try await report(lab)
            #expect(found["funnel"]?.object?["ended"]?.integer == running)
            #expect(found["accepted"]?.object?["ends"]?.integer == running)
            let reporting = found["shown"]?.object?["reporting"]?.integer ?? 0
            #expect(reporting <= lab.phones.count)
        }
    }
}

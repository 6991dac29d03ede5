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

    /// Compares a number by the system of phones with what each of some phones counts as.
    private static func expect(
        _ name: String, _ phones: some Sequence<LabPhone>, in report: JSONObject,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let systems = Dictionary(grouping: phones) { String($0.state.configuration.os.major) }.mapValues(\.count)
        let rows = report["by"]?.object?["os"]?.object?.members ?? []
        let found = rows.map { ($0.name, $0.value.object?[name]?.integer ?? -1) }.filter { $0.1 != 0 }
        #expect(Dictionary(uniqueKeysWithValues: found) == systems, "\(name)", sourceLocation: location)
    }

    @Test func `Cards that phones have, ended and dismissed are as many as the report says`() async throws {
        try await Rig.run(phones: 8) { lab in
            try await lab.start()
            try await lab.untilTokens(8)
            let first = try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            // A phone that dismisses its card before Apple's verdict is stored had no update for the report.
            try await lab.untilDone(first)
            for phone in lab.phones.prefix(3) { try phone.dismiss(.only) }
            try await lab.untilPhase("dismissed", 3)
            let update = try await lab.declare("update", score: 2)
            try await lab.untilDone(update)
            let left = lab.phones.filter { phone in phone.cardsInView.contains { $0.phase.isRunning } }
            let running = left.count
            let shows = lab.phones.count { $0.shows(score: 2) }
            try await lab.untilServer {
                let page = try await lab.api.call("GET", "/v1/activities/final/replicas?shown=newest").body
                return page.object?["replicas"]?.array?.count == shows
            }
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
            #expect(found["funnel"]?.object?["updated"]?.integer == lab.phones.count)
            for name in ["targeted", "appeared", "updated"] { Self.expect(name, lab.phones, in: found) }
            Self.expect("ended", [], in: found)
            let end = try await lab.declare("end", score: 3)
            try await lab.untilDone(end)
            try await lab.untilPhase("ended", running)
            found = try await report(lab)
            #expect(found["funnel"]?.object?["ended"]?.integer == running)
            // A phone may report its end before Apple's verdict is stored. Then the push ends nothing more.
            let ends = try #require(found["accepted"]?.object?["ends"]?.integer)
            #expect((1...running).contains(ends))
            Self.expect("ended", left, in: found)
            let reporting = found["shown"]?.object?["reporting"]?.integer ?? 0
            #expect(reporting <= lab.phones.count)
        }
    }
}

import EyotContract
import EyotDomain
import EyotLab
import Foundation
import Testing

/// What became of one version on each phone, held against the push service's own record and the phones.
@Suite("Versions, of phones", .timeLimit(.minutes(10)))
struct VersionLabTests {
    private func phones(_ lab: Lab, of version: Int, _ query: String = "") async throws -> [JSONObject] {
        let path = "/v1/activities/\(Lab.activity)/versions/\(version)/phones\(query)"
        let answer = try await lab.api.call("GET", path)
        try #require(answer.status == 200, "\(answer.problem)")
        // One line alone is JSON by itself.
        guard let lines = answer.body.string else { return [answer.body].compactMap(\.object) }
        return try lines.split(separator: "\n").compactMap { try JSONValue(parsing: Array($0.utf8)).object }
    }

    private func outcomes(_ lab: Lab, of version: Int) async throws -> [String: String] {
        let lines = try await phones(lab, of: version)
        return Dictionary(
            lines.map { ($0["user"]?.string ?? "", $0["outcome"]?.string ?? "") },
            uniquingKeysWith: { first, _ in first })
    }

    private func post(_ lab: Lab, _ path: String) async throws {
        let answer = try await lab.api.call("POST", "/v1/activities/\(Lab.activity)/\(path)", body: [:])
        try #require(answer.status == 200, "\(answer.problem)")
    }

    @Test func `Each phone has the outcome that the push service and the phone know`() async throws {
        try await Rig.run(phones: 5) { lab in
            try await lab.untilDone(try await lab.start())
            try await lab.untilTokens(5)
            // Version 2 is for one person. Version 3 never leaves. Version 4 finds one card gone and one refused.
            try await lab.untilDone(try await lab.declare("update", score: 2, [("scope", ["user": "user-1"])]))
            try await post(lab, "halt")
            try await lab.declare("update", score: 3)
            try lab.phones[3].dismiss(.only)
            try await lab.untilPhase("dismissed", 1)
            try await lab.declare("update", score: 4)
            lab.simulator.faults(of: .push).enqueue([.refuse(.payloadTooLarge)])
            try await post(lab, "resume")
            try await lab.untilServer {
                let last = try await outcomes(lab, of: 4)
                return last.values.count { $0 == "accepted" } == 3
            }

            let second = try await outcomes(lab, of: 2)
            #expect(second["user-1"] == "accepted", "\(second)")
            #expect((2...5).allSatisfy { second["user-\($0)"] == "notForCard" }, "\(second)")
            let third = try await outcomes(lab, of: 3)
            #expect((1...5).allSatisfy { $0 == 4 || third["user-\($0)"] == "superseded" }, "\(third)")
            let fourth = try await phones(lab, of: 4)
            #expect(fourth.first { $0["user"] == "user-4" }?["outcome"] == "gone")
            #expect(fourth.count { $0["outcome"] == "refused" && $0["reason"] == "PayloadTooLarge" } == 1)

            try await held(lab, fourth)
            #expect(try await phones(lab, of: 4, "?outcome=refused").count == 1)
            let firstTwo = try await phones(lab, of: 4, "?limit=2")
            #expect(firstTwo.map { $0["ordinal"] } == fourth.prefix(2).map { $0["ordinal"] })
            let table = try await lab.api.call("GET", "/v1/activities/\(Lab.activity)/versions/4/phones?format=csv")
            let rows = (table.body.string ?? "").split(separator: "\r\n")
            #expect(rows.count == 6 && rows[0].hasPrefix("ordinal,device,user,build,phase,outcome,reason,at,"))
            let unknown = try await lab.api.call("GET", "/v1/activities/\(Lab.activity)/versions/9/phones")
            #expect(unknown.status == 404 && unknown.body.object?["code"] == "versionUnknown")
        }
    }

    /// An accepted version has the id of a push that the push service passed on, and its phone shows the state.
    private func held(_ lab: Lab, _ lines: [JSONObject]) async throws {
        let passed = Set(lab.simulator.requests(limit: 1_000).filter(\.verdict.isDelivered).map { $0.id.lowercased() })
        for line in lines {
            let user = line["user"]?.string ?? ""
            let phone = try #require(lab.phones.first { $0.user == user })
            if line["outcome"] == "accepted" {
                #expect(passed.contains(line["apnsId"]?.string?.lowercased() ?? ""), "\(line)")
                try await lab.until { phone.shows(score: 4) }
            } else {
                #expect(!phone.shows(score: 4), "\(line)")
            }
        }
    }
}

import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

/// An operator takes an app away, from the real server.
@Suite("Removal of an app", .timeLimit(.minutes(10)))
struct AppRemovalTests {
    @Test func `A removed app is silent at once, its channels go at Apple, and its bundle id is free`() async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start([("channel", true)])
            try await lab.untilShown(score: 0)
            let description = await lab.description
            let server = try #require(URL(string: description.http))
            let api = APIClient(server: server, key: description.operatorKey)
            let path = APIClient.path("v1", "apps", description.bundleID)
            let refused = try await api.call("DELETE", path)
            #expect(refused.status == 409 && refused.problem.contains("appInUse"), "\(refused.problem)")
            try await lab.declare("end", score: 3)
            try await lab.untilShown(score: 3, .ended)
            #expect(!lab.simulator.channels(of: description.bundleID, in: .sandbox).isEmpty)

            #expect(try await api.call("DELETE", path).status == 204)
            #expect(try await api.call("GET", path).status == 404)
            #expect(try await lab.api.call("GET", "/v1/devices").status == 401)
            let again = try await api.call(
                "POST", "/v1/apps", body: ["bundleID": .string(description.bundleID), "name": "again"])
            #expect(again.status == 201, "\(again.problem)")
            try await lab.advanceClock(by: 61)
            while !lab.simulator.channels(of: description.bundleID, in: .sandbox).isEmpty {
                try Task.checkCancellation()
                await Task.yield()
            }
            let audit = try await api.call("GET", "/v1/audit").body
            let routes = audit.object?["changes"]?.array?.compactMap { $0.object?["route"]?.string } ?? []
            #expect(routes.contains("/v1/apps/{bundleID}"), "\(audit.text)")
        }
    }
}

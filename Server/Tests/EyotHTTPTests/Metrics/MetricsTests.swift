import EyotContract
import EyotDomain
import EyotMetrics
import EyotTestKit
import Foundation
import Testing

@testable import EyotHTTP

@Suite("A scrape", .timeLimit(.minutes(10)))
struct MetricsTests {
    @Test func `A scrape after known calls has their exact counts`() async throws {
        try await MetricsWorld.run { world in
            for (installation, os) in [("one", "18.1"), ("two", "16.1"), ("three", "16.1")] {
                let registered = try await world.call(
                    .post, "/v1/device/register", key: world.app, Rig.registration(installation, os: os))
                #expect(registered.status == 201 || registered.status == 200, "\(registered.text)")
            }
            #expect(try await world.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            for _ in 1...2 {
                #expect(try await world.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            }
            #expect(try await world.call(.post, "/v1/activities/none/update", Body.update).status == 404)
            #expect(try await world.call(.get, "/v1/users/anna%40example.com").status == 404)
            #expect(try await world.call(.get, "/nothing/anna").status == 404)
            let scraped = try await world.scrape()
            let app = ["app": "org.example.match"]
            func declared(_ verb: String, _ outcome: String) -> Double? {
                scraped.value("eyot_declarations_total", app.merging(["verb": verb, "outcome": outcome]) { $1 })
            }
            #expect(declared("start", "applied") == 1)
            #expect(declared("update", "applied") == 2)
            #expect(
                scraped.value("eyot_starts_skipped_total", app.merging(["reason": "osTooOld"]) { $1 }) == 2)
            #expect(
                scraped.value("eyot_events_total", app.merging(["type": "device.registered"]) { $1 }) == 3)
            func requests(_ plane: String, _ method: String, _ route: String, _ status: String) -> Double? {
                scraped.value(
                    "eyot_http_requests_total", ["plane": plane, "method": method, "route": route, "status": status])
            }
            #expect(requests("device", "POST", "/v1/device/register", "201") == 3)
            #expect(requests("control", "POST", "/v1/activities/{name}/update", "202") == 2)
            #expect(requests("control", "POST", "/v1/activities/{name}/update", "404") == 1)
            #expect(requests("control", "GET", "/v1/users/{externalID}", "404") == 1)
            #expect(requests("none", "none", "none", "404") == 1)
            let durations = ["plane": "control", "route": "/v1/activities/{name}/update"]
            #expect(scraped.value("eyot_http_request_duration_seconds_count", durations) == 3)
            #expect((scraped.value("eyot_store_commits_total") ?? 0) >= 7)
        }
    }

    @Test func `No label holds an id of a person, a device, a card or an activity`() async throws {
        try await MetricsWorld.run { world in
            _ = try await world.call(
                .post, "/v1/device/register", key: world.app, Rig.registration("phone-of-anna", user: "anna"))
            _ = try await world.call(.post, "/v1/activities/secret-final/start", Body.start)
            for path in ["/v1/users/anna", "/v1/devices/77777", "/v1/activities/secret-final", "/a/anna/b"] {
                _ = try await world.call(.get, path)
            }
            let text = try await world.call(.get, "/metrics").text
            for id in ["anna", "77777", "secret-final", world.key, world.app] { #expect(!text.contains(id), "\(id)") }
            for sample in try ScrapedMetrics(text).samples {
                for (_, value) in sample.labels { #expect(value.count <= 80, "\(sample)") }
            }
        }
    }

    @Test func `An undone write is not counted`() async throws {
        try await MetricsWorld.run { world in
            let path = "/v1/activities/final/start?dryRun=true"
            #expect(try await world.call(.post, path, Body.start).status == 200)
            let scraped = try await world.scrape()
            #expect(!scraped.samples.contains { $0.name == "eyot_declarations_total" })
        }
    }

    @Test func `Health answers while the writer is blocked, and takes no turn on it`() async throws {
        try await MetricsWorld.run { world in
            let (begun, release) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
            let blocked = Task {
                try await world.store.write { _ in
                    begun.continuation.yield()
                    release.wait()
                }
            }
            for await _ in begun.stream { break }
            let commits = world.store.committed.commits
            #expect(try await world.call(.get, "/healthz").status == 200)
            let ready = try await world.call(.get, "/readyz")
            #expect(ready.status == 200)
            #expect(try await world.call(.get, "/metrics").status == 200)
            #expect(world.store.waitingWrites == 0, "none of them waits for the writer")
            release.signal()
            try await blocked.value
            #expect(world.store.committed.commits == commits + 1)
            let checks = ready["checks"]?.array?.compactMap { $0.object?["code"]?.string } ?? []
            #expect(
                Set(checks).isSuperset(of: ["store", "disk", "pushing", "lease", "apple.production", "lag", "clock"]))
            let pushing = ready["checks"]?.array?.first { $0.object?["code"]?.string == "pushing" }?.object
            #expect(pushing?["ok"] == false)
            #expect(pushing?["sentence"]?.string == "This process does not push: starting.")
        }
    }
}

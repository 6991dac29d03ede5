import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import EyotMetrics
import EyotTestKit
import Foundation
import Testing

@testable import EyotServer
@testable import EyotStore

/// Scrapes of a server for which each alert fires, made by the server's own registry and collectors.
///
/// `scripts/metrics` lets a real Prometheus read them, after the one of a quiet server. `WRITE_GOLDEN=1` writes them
/// anew.
@Suite("Conditions of alerts") struct AlertConditionsTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../deploy/prometheus/conditions").standardizedFileURL
    private static let now = Instant(second: 1_700_000_000)

    /// A store of which nothing but its health is asked.
    private struct HealthStore: WrappedStore {
        var base = MemoryStore()
        var health = StoreHealth()
    }

    /// The scrape of a server with two apps.
    ///
    /// - Parameters:
    ///   - isRestored: Whether the second app is halted since the database was restored.
    ///   - change: What has happened to the first.
    private static func scrape(
        isRestored: Bool = false,
        _ change: (Meters, inout StoreHealth, PushingState, inout App) -> Void = { _, _, _, _ in }
    ) throws -> String {
        let (meters, pushing) = (Meters(), PushingState(at: now))
        pushing.note(serving: Set(0..<64), of: .shared)
        pushing.note(epoch: 1, beginsAt: now)
        pushing.note(nil)
        var app = App(id: AppID(rawValue: 1), bundleID: "org.example.match", name: "A", publicKey: "", createdAt: now)
        var store = HealthStore()
        (store.health.freeBytes, store.health.walBytes) = (50 << 30, 4 << 20)
        meters.note(app)
        change(meters, &store.health, pushing, &app)
        var backend = Backend(
            store: store, clock: StandingClock(), sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in },
            pushing: pushing)
        backend.meters = meters
        var other = App(
            id: AppID(rawValue: 2), bundleID: "org.example.other", name: "B", publicKey: "", createdAt: now)
        meters.note(other)
        if isRestored { other.haltedAt = now }
        var states = AppStates.Snapshot(apps: [app, other])
        if isRestored { states.restored = [other.id] }
        backend.health.apps.value = states
        meters.collect(from: backend, clock: StandingClock())
        API(backend).beginCounts()
        // The build and the routes are none of this.
        return meters.text(at: now).split(separator: "\n", omittingEmptySubsequences: false)
            .filter { line in
                !line.hasPrefix("eyot_build_info{")
                    && (!line.hasPrefix("eyot_http_requests_total{") || line.contains("\"/v1/status\""))
            }
            .joined(separator: "\n")
    }

    private static let scrapes: [(name: String, text: @Sendable () throws -> String)] = [
        ("quiet", { try scrape() }),
        (
            "trouble",
            {
                try scrape(isRestored: true) { meters, health, pushing, app in
                    trouble(meters, of: app.id)
                    app.haltedTypes["Match"] = now
                    app.pauses[.production] = AppPause(reason: .topicDisallowed, since: now)
                    (health.waitingWrites, health.busySeconds) = (4_000, 31)
                    (health.freeBytes, health.walBytes) = (1 << 20, 4 << 20)
                    pushing.note(serving: Set(0..<40), of: .shared)
                    pushing.note(ClockSetBack(before: now + 7_200, after: now))
                    _ = pushing.noteCards(waitingUntil: now + 7_000, at: now)
                    pushing.note(epoch: 2, beginsAt: now + 15)
                }
            }
        ), ("clock-apart", { try scrape { _, _, pushing, _ in stop(pushing, .clockApart) } }),
        ("not-adopted", { try scrape { _, _, pushing, _ in stop(pushing, .notAdopted) } }),
    ]

    private static func stop(_ pushing: PushingState, _ wait: PushingStatus.Wait) {
        pushing.note(serving: [], of: .shared)
        pushing.note(wait)
    }

    private static func trouble(_ meters: Meters, of app: AppID) {
        let (name, environment) = (meters.names.name(of: app), "production")
        for (verdict, reason, count) in [("accepted", "", 80), ("refused", "Unregistered", 10), ("unknown", "", 10)] {
            meters.count(.pushes, name, environment, "update", verdict, reason, by: count)
            meters.count(.verdicts, name, environment, verdict, by: count)
        }
        meters.count(CommitReport(failure: .diskFull))
        for device in 1...30 {
            let result: Occurrence.Report = device <= 20 ? .unknown : .same
            meters.count([
                Occurrence(
                    .reported(result, by: DeviceID(rawValue: Int64(device)), of: ActivityID(rawValue: 1)), of: app): 1
            ])
        }
        meters.count(.requests, "control", "GET", "/v1/status", "200", by: 20)
        meters.count(.requests, "control", "GET", "/v1/status", "503", by: 10)
        meters.set(.connections, environment, "pushes", "ready", to: 0)
        meters.set(.connectionFailures, environment, "pushes", to: 7)
        meters.setAll(.webhookOldest, [["1"]: 3_600])
        meters.note(due: [app: Meters.Due(activities: 1, since: now - 95)])
    }

    @Test func `The scrapes that Prometheus is given are those of today's registry`() throws {
        for scrape in Self.scrapes {
            let (text, file) = (try scrape.text(), Self.folder.appendingPathComponent("\(scrape.name).txt"))
            _ = try ScrapedMetrics(text)
            if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" {
                try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(scrape.name)")
        }
    }

    @Test func `A series that an alert counts is there before its first event`() throws {
        let (quiet, trouble) = (try ScrapedMetrics(Self.scrapes[0].text()), try ScrapedMetrics(Self.scrapes[1].text()))
        let counted = [
            "eyot_push_verdicts_total", "eyot_store_errors_total", "eyot_http_requests_total", "eyot_reported_total",
            "eyot_limited_total", "eyot_refused_total",
        ]
        for sample in trouble.samples where counted.contains(sample.name) && sample.labels["status"] != "200" {
            #expect(quiet.value(sample.name, sample.labels) == 0, "\(sample.name) \(sample.labels)")
        }
        for error in [StoreError.diskFull, .timedOut, .conflict(""), .unreachable(.login, ""), .refused(.rights, "")] {
            #expect(quiet.value("eyot_store_errors_total", ["code": error.kind]) == 0, "\(error.kind)")
        }
    }
}

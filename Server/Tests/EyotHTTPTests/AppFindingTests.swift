import EyotContract
import EyotDomain
import HTTPTypes
import Testing

/// What keeps an app from being pushed to has one code and one remedy, in each place that says it.
@Suite("Findings of an app", .timeLimit(.minutes(10)))
struct AppFindingTests {
    /// The findings without the one that the rig has no node, which pushes.
    private func findings(_ reply: Reply) -> [JSONObject] {
        let all = (reply["findings"]?.array ?? []).compactMap(\.object)
        #expect(all.last?["code"] == "notPushing", "\(reply.text)")
        return all.dropLast()
    }

    private func codes(_ reply: Reply) -> [String] { findings(reply).compactMap { $0["code"]?.string } }

    @Test func `a missing key, a halt and a pause are listed, and warnings say the same`() async throws {
        try await Rig.run(hasHints: true) { rig in
            try await rig.phone("one", user: "ana")
            #expect(codes(try await rig.call(.get, "/v1/findings")) == ["apnsKeyMissing"])
            #expect(try await rig.call(.put, "/v1/activities/final", #"{"contentState":{"n":1}}"#).status == 202)
            #expect(try await rig.call(.post, "/v1/activities/final/halt").status == 200)
            try await rig.store.write { ledger in
                guard var app = try ledger.app(bundleID: "org.example.match") else { return }
                app.pauses[.production] = AppPause(reason: .topicDisallowed, since: Rig.start)
                app.pauses[.sandbox] = AppPause(reason: .invalidProviderToken, since: Rig.start)
                try ledger.update(unrecorded: app)
            }
            #expect(codes(try await rig.call(.get, "/v1/findings")) == ["apnsKeyRefused", "appPaused"])
            let found = try await rig.call(.get, "/v1/findings?activity=final")
            #expect(codes(found) == ["halted", "apnsKeyRefused", "appPaused"], "\(found.text)")
            let reply = try await rig.call(.put, "/v1/activities/final", #"{"contentState":{"n":2}}"#)
            let warnings = (reply["warnings"]?.array ?? []).compactMap(\.string)
            for finding in findings(found) {
                let (sentence, remedy) = (finding["sentence"]?.string ?? "-", finding["remedy"]?.string ?? "-")
                let warning = "\(sentence) \(remedy) [\(finding["code"]?.string ?? "-")]"
                #expect(warnings.contains(warning), "\(warning) is not in \(warnings)")
            }
            #expect(try await rig.call(.get, "/v1/findings?activity=none").code == "activityUnknown")
        }
    }
}

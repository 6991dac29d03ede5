import EyotDomain
import HTTPTypes
import Testing

@testable import EyotHTTP

/// Paths that a proxy may read in another way than the server (decision 0034).
@Suite struct `A path with two beginnings` {
    private static let refused = [
        "/v1/activities/..%2fdevice%2fx/start", "/v1/activities/..%2Fdevice%2Fx/start",
        "/v1/activities/%2e%2e%2fdevice", "/v1/activities/%2E./device", "/v1/activities/.%2e/device",
        "/v1/activities/..",
        "/v1/activities/../device/x", "/v1/activities/./x", "/./v1/apps", "/v1/activities/.", "/v1/activities/%2e",
        "/v1/activities/a%2f../x", "/v1/activities/a%2f..", "/v1/activities/..%5cdevice", "/v1/activities/a%5C..%5Cx",
        "/v1/activities/..\\device", "/v1/a\\b", "/v1/activities/%252e%252e/x", "/v1/activities/..%252fdevice",
        "/v1/activities/%25252e%25252e/x", "/v1/activities/%2525252525252e", "/v1/activities/..;/device",
        "/v1/activities/..%3bx/device", "/v1/activities/..;x=1%2fdevice", "//v1/apps", "/v1//apps", "//",
        "/v1/activities//start", "/v1/device//../apps", "/v1/activities/..%00/x", "/v1/activities/..%2500x/y",
        "/v1/x#/../y",
        "/panel/..%2fv1", "/panel//x", "/rest/3.0/../3.0/getPushStats", "/api/push/./",
    ]

    private static let taken = [
        "/", "/v1/apps", "/v1/activities/final", "/v1/activities/a%2Fb", "/v1/activities/%2Fa", "/v1/activities/a%2F",
        "/v1/activities/a%2F%2Fb", "/v1/users/https%3A%2F%2Fid.example.org%2Fu", "/v1/users/a%5Cb",
        "/v1/activities/...",
        "/v1/activities/..a", "/v1/activities/a..", "/v1/activities/.a%2F.b", "/v1/activities/50%25",
        "/v1/activities/%",
        "/v1/activities/%ZZ", "/v1/activities/a%252Fb", "/v1/activities/a;b", "/v1/activities/a%3B..", "/api/push/",
        "/v1/activities/%C3%A9", "/v1/activities/a%00", "/rest/3.0/getPushStats", "*", "a:80", "http://a/v1/apps",
    ]

    private func code(_ path: String, _ reading: PathReading = PathReading()) -> EyotError.Code? {
        do {
            try reading.check(path[...])
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: refused) func `It is refused`(path: String) { #expect(code(path) == .pathAmbiguous) }

    @Test(arguments: taken) func `Others are taken`(path: String) { #expect(code(path) == nil) }

    @Test func `A slash in a name is refused where a proxy shares out the paths of one listener`() {
        let reading = PathReading(allowsSlashInName: false)
        for path in Self.taken {
            let isEscaped = ["%2F", "%5C", "%252F"].contains { path.contains($0) }
            #expect((code(path, reading) == .pathAmbiguous) == isEscaped, "\(path)")
        }
    }

    @Test func `A name at the panel may have dots and slashes, as long as no browser takes them away`() {
        let reading = PathReading(allowsDotsInName: true)
        #expect(code("/panel/activities/..%2F..%2Fx/update", reading) == nil)
        for path in ["/panel/activities/../x", "/panel//x", "/panel/..", "/./panel", "/panel/a\\b"] {
            #expect(code(path, reading) == .pathAmbiguous, "\(path)")
        }
    }

    @Test func `It is refused before a route is looked for, in each plane's form, and with a key or without one`()
        async throws
    {
        try await Rig.run { rig in
            for path in Self.refused where !path.contains("\\") && !path.contains("#") {
                for method in [HTTPRequest.Method.get, .post, .put, .delete] {
                    let reply = try await rig.call(method, path, method == .get ? nil : Body.start)
                    #expect(reply.status == 400, "\(method) \(path): \(reply.text)")
                    guard !path.contains("/api/"), !path.contains("/rest/") else { continue }
                    #expect(reply.code == "pathAmbiguous", "\(method) \(path): \(reply.text)")
                }
            }
            #expect(try await rig.call(.get, "/v1/activities")["activities"]?.array == [])
        }
    }
}

import Testing

@testable import EyotLab

/// Who may use the control API.
@Suite("Access to the control API")
struct ControlAccessTests {
    private let access = ControlAccess(secret: "s3cret", cookie: "c00kie", cookieName: "eyot-wall-4711")
    private let own = "http://127.0.0.1:4711"

    private func request(
        _ method: String = "GET", host: String? = "127.0.0.1:4711", _ change: (inout ControlAccess.Request) -> Void
    ) -> ControlAccess.Request {
        var request = ControlAccess.Request(method: method, authority: host)
        change(&request)
        return request
    }

    private func status(_ request: ControlAccess.Request) -> Int {
        do throws(ControlProblem) {
            try access.check(request)
            return 200
        } catch {
            return error.status
        }
    }

    @Test func `A program needs the secret, and a web page may not have it`() {
        #expect(status(request { $0.authorization = "Bearer s3cret" }) == 200)
        #expect(status(request("POST") { $0.authorization = "Bearer s3cret" }) == 200)
        #expect(status(request { _ in }) == 401)
        #expect(status(request { $0.authorization = "Bearer s3cre" }) == 401)
        #expect(
            status(
                request {
                    $0.authorization = "Bearer s3cret"
                    $0.origin = "http://127.0.0.1:4711"
                }) == 403)
    }

    @Test(arguments: ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:4711", ""])
    func `Another host's name is refused, whatever the request has`(host: String) {
        #expect(
            status(
                request(host: host) {
                    $0.authorization = "Bearer s3cret"
                    $0.cookie = "eyot-wall-4711=c00kie"
                }) == 403)
    }

    @Test func `The wall's page reads with its cookie`() {
        #expect(status(request { $0.cookie = "eyot-wall-4711=c00kie" }) == 200)
        #expect(status(request { $0.cookie = "a=b; eyot-wall-4711=c00kie; c=d" }) == 200)
        #expect(
            status(
                request {
                    $0.cookie = "eyot-wall-4711=c00kie"
                    $0.fetchSite = "same-origin"
                }) == 200)
        #expect(status(request { $0.cookie = "eyot-wall-4711=other" }) == 401)
        #expect(status(request { $0.cookie = "eyot-wall-4712=c00kie" }) == 401)
        #expect(status(request { $0.cookie = "x-eyot-wall-4711=c00kie" }) == 401)
    }

    @Test(arguments: ["same-site", "cross-site"])
    func `A page of another port or host does not read with the cookie`(site: String) {
        #expect(
            status(
                request {
                    $0.cookie = "eyot-wall-4711=c00kie"
                    $0.fetchSite = site
                }) == 403)
    }

    @Test(arguments: [
        nil, "null", "http://127.0.0.1:4712", "http://localhost:4711", "https://127.0.0.1:4711", "http://127.0.0.1",
        "https://evil.example",
    ])
    func `A change with the cookie comes from the wall's own origin alone`(origin: String?) {
        for method in ["POST", "DELETE", "PUT", "HEAD"] {
            #expect(
                status(
                    request(method) {
                        $0.cookie = "eyot-wall-4711=c00kie"
                        $0.origin = origin
                    }) == 403, "\(method)")
        }
    }

    @Test func `The wall's own origin changes`() {
        for host in ["127.0.0.1:4711", "localhost:4711"] {
            #expect(
                status(
                    request("POST", host: host) {
                        $0.cookie = "eyot-wall-4711=c00kie"
                        $0.origin = "http://\(host)"
                        $0.fetchSite = "same-origin"
                    }) == 200)
        }
    }

    @Test func `The pass and the cookie do not reveal the secret, and differ`() {
        let (pass, cookie) = (Lab.wallPass(of: "s3cret"), Lab.wallCookie(of: "s3cret"))
        #expect(pass != cookie && pass.count == 32 && cookie.count == 32)
        #expect(Lab.wallPass(of: "s3cret") == pass && Lab.wallPass(of: "other") != pass)
    }
}

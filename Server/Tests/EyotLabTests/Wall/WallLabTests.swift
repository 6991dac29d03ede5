import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The wall of a running lab over HTTP, as a browser and as a script see it.
@Suite("The wall of a lab", .serialized, .timeLimit(.minutes(10)))
struct WallLabTests {
    private typealias Control = (lab: Lab, api: APIClient, url: URL, cookie: String)

    private func run(phones: Int = 3, _ body: (Control) async throws -> Void) async throws {
        try await Rig.run(phones: phones) { lab in
            let description = await lab.description
            let url = try #require(URL(string: description.control))
            let opened = try await Visit(description.wall).response
            let cookie = try #require(opened.value(forHTTPHeaderField: "Set-Cookie"))
            let pair = String(cookie.prefix { $0 != ";" })
            try await body((lab, APIClient(server: url, key: description.controlSecret), url, pair))
        }
    }

    private func slim(_ control: Control) async throws -> JSONObject {
        try #require(try await control.api.call("GET", "/phones?view=slim").body.object)
    }

    /// Waits until this number of phones has a mark.
    private func until(_ control: Control, _ mark: String, _ count: Int) async throws {
        try await control.lab.untilServer {
            try await slim(control)["counts"]?.object?[mark]?.integer == count
        }
    }

    // MARK: The page

    @Test func `The printed address opens the page, and the pass leaves the address`() async throws {
        try await run { control in
            let address = control.lab.wallURL
            let opened = try await Visit(address).response
            #expect(opened.statusCode == 303)
            #expect(opened.value(forHTTPHeaderField: "Location") == "/phones")
            let cookie = try #require(opened.value(forHTTPHeaderField: "Set-Cookie"))
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            let description = await control.lab.description
            #expect(!cookie.contains(description.controlSecret) && !address.contains(description.controlSecret))
            let page = try await Visit("\(control.url)/phones", ["Accept": "text/html", "Cookie": control.cookie])
            #expect(page.response.statusCode == 200 && page.text.contains("<title>Wall of phones"))
            let policy = try #require(page.response.value(forHTTPHeaderField: "Content-Security-Policy"))
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            #expect(!page.text.contains(" style=") && !page.text.contains("onclick"))
        }
    }

    @Test func `Without the cookie the page is locked, and a wrong pass sets none`() async throws {
        try await run { control in
            let locked = try await Visit("\(control.url)/phones", ["Accept": "text/html"])
            #expect(locked.response.statusCode == 401 && locked.text.contains("This wall is locked"))
            let guessed = try await Visit("\(control.url)/phones?pass=0123")
            #expect(guessed.response.statusCode == 401)
            #expect(guessed.response.value(forHTTPHeaderField: "Set-Cookie") == nil)
            for path in ["/phones", "/phones/stream", "/phones/wall.svg", "/phones?view=slim", "/types"] {
                #expect(try await Visit("\(control.url)\(path)").response.statusCode == 401, "\(path)")
            }
            for (path, type) in [
                ("wall.css", "text/css"), ("wall.js", "text/javascript"), ("wall-icon.svg", "image/svg"),
            ] {
                let part = try await Visit("\(control.url)/\(path)").response
                #expect(part.statusCode == 200)
                #expect(part.value(forHTTPHeaderField: "Content-Type")?.hasPrefix(type) == true)
            }
        }
    }

    @Test func `Programs still get JSON, and the wall as SVG`() async throws {
        try await run { control in
            let all = try await control.api.call("GET", "/phones").body.object?["phones"]?.array
            #expect(all?.first?.object?["pushes"] != nil)
            let text = try await control.api.call("GET", "/phones/wall.svg").body.string
            #expect(text?.hasPrefix("<svg ") == true && text?.contains("3 no card") == true)
        }
    }

    // MARK: What the page does

    @Test func `A match is started and goes on with the cookie, and only from the wall's own origin`() async throws {
        try await run { control in
            let start: JSONValue = [
                "type": "MatchAttributes", "attributes": Lab.attributes, "contentState": Lab.state(score: 0),
                "alert": ["title": "Kick-off", "body": "Now"], "audience": "all",
            ]
            let headers = ["Cookie": control.cookie, "Origin": "\(control.url)"]
            let path = "\(control.url)/activities/final"
            #expect(
                try await Visit("\(path)/start", ["Cookie": control.cookie], start).response.statusCode == 403)
            #expect(try await Visit("\(path)/start", headers, start).response.statusCode == 202)
            try await until(control, "shown", 3)
            #expect(try await Visit("\(path)/goal", headers, [:]).response.statusCode == 202)
            try await control.lab.untilServer {
                try await slim(control)["activities"]?.array?.first?.object?["stateVersion"] == 2
            }
            try await until(control, "shown", 3)
            let state = control.lab.phones[0].cardsInView.first?.content.state.object
            #expect(state?["homeScore"] == 1 && state?["lastEvent"] == "Goal!")
            let phone = try await slim(control)["phones"]?.array?.first?.object
            let card = phone?["cards"]?.array?.first?.object
            #expect(card?["version"] == 2 && card?["declared"] == 2)
            #expect(card?["shows"]?.string?.hasPrefix("ARG 1–0 FRA") == true)
            let end = try await Visit("\(path)/end", headers, ["contentState": Lab.state(score: 2)])
            #expect(end.response.statusCode == 202)
            try await until(control, "ended", 3)
            #expect(try await Visit("\(path)/goal", headers, [:]).response.statusCode == 409)
            #expect(try await Visit("\(path)/dance", headers, [:]).response.statusCode == 404)
        }
    }

    @Test func `A share of the phones goes offline, comes back and swipes`() async throws {
        try await run(phones: 4) { control in
            try await control.lab.start()
            try await until(control, "shown", 4)
            let body: JSONValue = ["action": "offline", "percent": 50]
            let gone = try await control.api.call("POST", "/phones/act", body: body)
            #expect(gone.body.object?["phones"]?.array?.count == 2, "\(gone.problem)")
            try await until(control, "offline", 2)
            _ = try await control.api.call("POST", "/phones/act", body: ["action": "online"])
            try await until(control, "shown", 4)
            let swiped = try await control.api.call("POST", "/phones/act", body: ["action": "dismiss", "percent": 10])
            #expect(swiped.body.object?["phones"]?.array?.count == 1)
            try await until(control, "dismissed", 1)
            for (body, field) in [
                (["action": "dance"], "action"), (["action": "offline", "percent": 101], "percent"),
                (["action": "offline", "share": 1], "share"),
            ] as [(JSONValue, String)] {
                let refused = try await control.api.call("POST", "/phones/act", body: body)
                #expect(refused.status == 422 && refused.body.object?["field"] == .string(field))
            }
        }
    }

    @Test func `A fault that stands keeps phones behind until it is taken away`() async throws {
        try await run { control in
            try await control.lab.start()
            try await until(control, "shown", 3)
            try await control.lab.untilTokens(3)
            let set = try await control.api.call("POST", "/faults", body: ["standing": "TooManyRequests"])
            #expect(set.status == 200, "\(set.problem)")
            try await control.lab.declare("update", score: 1)
            try await until(control, "behind", 3)
            let behind = try await slim(control)["phones"]?.array?.first?.object
            let card = behind?["cards"]?.array?.first?.object
            #expect(card?["version"] == 1 && card?["declared"] == 2 && card?["behindSince"] != nil)
            _ = try await control.api.call("DELETE", "/faults")
            try await until(control, "shown", 3)
            for (body, field) in [
                (["standing": "Nonsense"], "standing"), (["standing": .null, "every": 0], "every"),
            ] as [(JSONValue, String)] {
                let refused = try await control.api.call("POST", "/faults", body: body)
                #expect(refused.status == 422 && refused.body.object?["field"] == .string(field))
            }
        }
    }

    @Test func `The lab's clock runs faster`() async throws {
        try await run(phones: 1) { control in
            let answer = try await control.api.call("POST", "/clock/speed", body: ["speed": 600])
            #expect(answer.body.object?["speed"]?.double == 600)
            try await control.lab.until { control.lab.now.timeIntervalSinceNow > 1_000 }
            _ = try await control.api.call("POST", "/clock/speed", body: ["speed": 1])
            #expect(try await control.api.call("POST", "/clock/speed", body: ["speed": 0.5]).status == 422)
            #expect(try await control.api.call("POST", "/clock/speed", body: ["speed": 3_601]).status == 422)
        }
    }

    // MARK: Why

    @Test func `A phone's story stands beside the server's, also if the server is down`() async throws {
        try await run { control in
            try await control.lab.start()
            try await until(control, "shown", 3)
            // A phone shows a push before the server has stored Apple's answer to it.
            try await control.lab.untilServer {
                let why = try await control.api.call("GET", "/phones/phone-1/why").body.object
                let push = why?["phone"]?.array?.first?.object
                let story = why?["server"]?.object?["story"]?.array ?? []
                return story.contains { $0.object?["apnsId"] == push?["apnsId"] ?? .null }
            }
            let why = try await control.api.call("GET", "/phones/phone-1/why").body.object
            #expect(why?["activity"] == "final")
            let push = why?["phone"]?.array?.first?.object
            #expect(push?["version"] == 1 && push?["outcome"] == "good")
            #expect(why?["server"]?.object?["finding"]?.object?["sentence"]?.string?.isEmpty == false)
            await control.lab.killServer()
            let alone = try await control.api.call("GET", "/phones/phone-1/why").body.object
            #expect(alone?["serverProblem"]?.string?.hasPrefix("The server does not answer") == true)
            #expect(alone?["phone"]?.array?.isEmpty == false)
            #expect(try await control.api.call("POST", "/activities/final/goal").status == 502)
            #expect(try await control.api.call("GET", "/phones/phone-9/why").status == 404)
        }
    }

    @Test func `Each type has the fields of a form`() async throws {
        try await run(phones: 1) { control in
            let types = try await control.api.call("GET", "/types").body.object?["types"]?.array ?? []
            let match = types.first { $0.object?["name"] == "MatchAttributes" }?.object
            let fields = match?["contentState"]?.array?.compactMap { $0.object?["path"]?.array?.first } ?? []
            #expect(fields == ["homeScore", "awayScore", "clock", "lastEvent"])
        }
    }

    // MARK: The stream

    @Test func `The stream begins with everything, tells changes, and ends with the lab`() async throws {
        let messages = AsyncStream.makeStream(of: EventMessage.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await run { control in
                group.addTask { [api = control.api] in
                    _ = try? await api.follow("/phones/stream", after: nil) { messages.continuation.yield($0) }
                    messages.continuation.finish()
                }
                var stream = messages.stream.makeAsyncIterator()
                let first = [await stream.next(), await stream.next(), await stream.next(), await stream.next()]
                #expect(first.map { $0?.event } == ["lab", "faces", "declared", "phones"])
                #expect(control.lab.wallViewers == 1)
                try await control.lab.start()
                var shown: Set<String> = []
                var isDeclared = false
                while shown.count < 3 || !isDeclared, let message = await stream.next() {
                    if message.event == "declared" { isDeclared = message.data.contains(#""name":"final""#) }
                    guard message.event == "changed" else { continue }
                    for phone in try JSONValue(parsing: message.data).array ?? [] {
                        guard phone.object?["mark"] == "shown", let id = phone.object?["id"]?.string else { continue }
                        shown.insert(id)
                    }
                }
                #expect(shown == ["phone-1", "phone-2", "phone-3"] && isDeclared)
            }
            // The lab is over, and its streams with it.
            try await group.waitForAll()
        }
    }
}

/// One request of a browser, which follows no redirect and keeps no cookie.
private struct Visit {
    let response: HTTPURLResponse
    let text: String

    init(_ address: String, _ headers: [String: String] = [:], _ body: JSONValue? = nil) async throws {
        var request = URLRequest(url: try #require(URL(string: address)))
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        request.httpShouldHandleCookies = false
        if let body {
            request.httpMethod = "POST"
            request.httpBody = Data(body.utf8)
        }
        let session = URLSession(configuration: .ephemeral, delegate: Unredirected(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (data, answer) = try await session.data(for: request)
        response = try #require(answer as? HTTPURLResponse)
        text = String(decoding: data, as: UTF8.self)
    }
}

/// Leaves redirects to the caller.
private final class Unredirected: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) { completionHandler(nil) }
}

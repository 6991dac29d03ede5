import AsyncHTTPClient
import EyotContract
import EyotTestKit
import Foundation

/// A chromedriver of this machine, as a process on a free port.
struct WebDriver: Sendable {
    let url: String

    /// A driver ends at once if the port that it chose over IPv4 is taken over IPv6.
    private struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    /// How often a driver is started before its end counts.
    private static let starts = 5

    /// Runs a driver with one browser, and ends both.
    static func run(_ body: (Browser) async throws -> Void) async throws {
        for _ in 1..<starts {
            do { return try await runOnce(body) } catch is NotStarted {}
        }
        try await runOnce(body)
    }

    private static func runOnce(_ body: (Browser) async throws -> Void) async throws {
        _ = try await Program("chromedriver", ["--port=0"]).run { process in
            let driver = WebDriver(url: "http://127.0.0.1:\(try await port(of: process))")
            let session = try await driver.ask("POST", "/session", capabilities)
            guard let id = session.object?["sessionId"]?.string else {
                throw Browser.Failure(description: "the browser did not start: \(session.text)")
            }
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(Browser(driver: driver, session: id)))
            } catch {
                result = .failure(error)
            }
            _ = try? await driver.ask("DELETE", "/session/\(id)")
            try result.get()
        }
    }

    /// The port that the driver says it has.
    private static func port(of driver: Program.Running) async throws -> Int {
        var text = ""
        for try await line in driver.output {
            text += "\(line)\n"
            if let match = line.firstMatch(of: /started successfully on port (\d+)/), let port = Int(match.output.1) {
                return port
            }
        }
        for try await line in driver.errors { text += "\(line)\n" }
        throw NotStarted(description: "chromedriver did not start: \(text)")
    }

    private static let capabilities: JSONValue = [
        "capabilities": [
            "alwaysMatch": [
                "goog:chromeOptions": [
                    "args": [
                        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                        "--window-size=1440,900", "--hide-scrollbars",
                    ]
                ],
                "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
            ]
        ]
    ]

    /// Makes one call.
    ///
    /// - Throws: ``Browser/Failure`` with the driver's words if it refuses.
    func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        var request = HTTPClientRequest(url: url + path)
        request.method = .RAW(value: method)
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = body.map { .bytes($0.utf8) }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
        let bytes = try await answer.body.collect(upTo: 64 * 1_024 * 1_024)
        let value = try JSONValue(parsing: Array(bytes.readableBytesView)).object?["value"] ?? .null
        guard answer.status == .ok else {
            throw Browser.Failure(description: value.object?["message"]?.string ?? value.text)
        }
        return value
    }
}

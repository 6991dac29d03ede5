import AsyncHTTPClient
import EyotContract
import Foundation

/// A chromedriver of this machine, as a process on a free port.
struct WebDriver: Sendable {
    let url: String
    /// Runs a driver with one browser, and ends both.
    static func run(_ body: (Browser) async throws -> Void) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", unblock, "chromedriver", "--port=0"]
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        let (exits, exited) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in exited.finish() }
        try process.run()
        let result: Result<Void, any Error>
        do {
            result = .success(try await drive(output, body))
        } catch {
            result = .failure(error)
        }
        process.terminate()
        for await _ in exits {}
        try result.get()
    }

    /// Runs a command with no signal blocked. On Linux, Foundation starts processes with nearly all signals blocked.
    /// The driver then waits for its browser for ever.
    private static let unblock = """
        import os, signal, sys
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execvp(sys.argv[1], sys.argv[1:])
        """

    private static func drive(_ output: Pipe, _ body: (Browser) async throws -> Void) async throws {
        let driver = WebDriver(url: "http://127.0.0.1:\(try await port(from: output))")
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

    /// The port that the driver says it has.
    private static func port(from output: Pipe) async throws -> Int {
        let (chunks, chunk) = AsyncStream.makeStream(of: Data.self)
        let handle = output.fileHandleForReading
        // In a thread of its own, because reading blocks. It ends with the driver.
        Thread.detachNewThread {
            while case let data = handle.availableData, !data.isEmpty { chunk.yield(data) }
            chunk.finish()
        }
        var text = ""
        for await data in chunks {
            text += String(decoding: data, as: UTF8.self)
            if let match = text.firstMatch(of: /started successfully on port (\d+)/), let port = Int(match.output.1) {
                return port
            }
        }
        throw Browser.Failure(description: "chromedriver did not start: \(text)")
    }

    private static let capabilities: JSONValue = [
        "capabilities": [
            "alwaysMatch": [
                "goog:chromeOptions": [
                    "args": [
                        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                        "--window-size=1440,900",
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

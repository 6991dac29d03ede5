import EyotContract
import Foundation

/// A real browser without a window, steered by W3C WebDriver.
struct Browser: Sendable {
    /// What went wrong with an element, a script or the browser itself.
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Light or dark, as the system of the reader has it.
    enum Scheme: String {
        case light, dark
    }

    let driver: WebDriver
    let session: String

    // MARK: Pages

    /// Opens a page and waits until it has loaded.
    func open(_ url: String) async throws { try await ask("POST", "url", ["url": .string(url)]) }

    /// The address of the page.
    var url: String {
        get async throws { try await ask("GET", "url").string ?? "" }
    }

    /// Sets the size of the page in pixels, like that of a phone's or a desktop's.
    func resize(width: Int, height: Int = 900) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(width), "height": .integer(height), "deviceScaleFactor": 1,
                "mobile": .bool(width < 500),
            ])
    }

    /// Makes the page light or dark.
    func prefer(_ scheme: Scheme) async throws {
        try await command(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .string(scheme.rawValue)]]])
    }

    /// The page as a PNG.
    func screenshot() async throws -> Data {
        guard let text = try await ask("GET", "screenshot").string, let data = Data(base64Encoded: text) else {
            throw Failure(description: "there is no screenshot")
        }
        return data
    }

    // MARK: Elements

    /// Presses an element. A page that replaces it meanwhile has another one, which is pressed then.
    func press(_ selector: String) async throws {
        do {
            try await ask("POST", "element/\(try await element(selector))/click", [:])
        } catch let failure as Failure where failure.description.hasPrefix("stale element") {
            try Task.checkCancellation()
            try await press(selector)
        }
    }

    /// Types into an element, over what stands there.
    func type(_ text: String, into selector: String) async throws {
        let element = try await element(selector)
        try await ask("POST", "element/\(element)/clear", [:])
        try await ask("POST", "element/\(element)/value", ["text": .string(text)])
    }

    /// The text of the first such element, as a reader sees it. A page that replaces it meanwhile has another one.
    func text(_ selector: String) async throws -> String {
        do {
            return try await ask("GET", "element/\(try await element(selector))/text").string ?? ""
        } catch let failure as Failure where failure.description.hasPrefix("stale element") {
            try Task.checkCancellation()
            return try await text(selector)
        }
    }

    /// Runs a script in the page and returns its value.
    func value(_ script: String, _ arguments: [JSONValue] = []) async throws -> JSONValue {
        try await ask("POST", "execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Runs a script that answers by a promise.
    func promised(_ script: String) async throws -> JSONValue {
        try await ask(
            "POST", "execute/async",
            [
                "script": .string(
                    "const done = arguments[0]; (async () => { \(script) })().then(done, (e) => done('' + e))"),
                "args": [],
            ])
    }

    /// Waits until a script in the page says true. The time limit of the test ends the wait.
    func wait(until script: String) async throws {
        while try await value("return Boolean(\(script))") != true {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits until an element has a text.
    func wait(for selector: String, toSay text: String) async throws {
        let (selector, text) = (JSONValue.string(selector).text, JSONValue.string(text).text)
        try await wait(until: "(document.querySelector(\(selector)) || {innerText: ''}).innerText.includes(\(text))")
    }

    private func element(_ selector: String) async throws -> String {
        let found = try await ask(
            "POST", "element", ["using": "css selector", "value": .string(selector)])
        guard let id = found.object?.members.first?.value.string else {
            throw Failure(description: "there is no \(selector)")
        }
        return id
    }

    // MARK: What the browser noticed

    /// Errors that the browser wrote into its console since the last call.
    func consoleErrors() async throws -> [String] {
        try await log("browser").filter { $0.object?["level"]?.string == "SEVERE" }
            .compactMap { $0.object?["message"]?.string }
    }

    /// The addresses that pages asked for since the last call.
    func requests() async throws -> [String] {
        try await log("performance").compactMap { entry in
            let text = entry.object?["message"]?.string ?? ""
            let message = try JSONValue(parsing: Array(text.utf8)).object?["message"]?.object
            guard message?["method"]?.string == "Network.requestWillBeSent" else { return nil }
            return message?["params"]?.object?["request"]?.object?["url"]?.string
        }
    }

    private func log(_ type: String) async throws -> [JSONValue] {
        try await ask("POST", "se/log", ["type": .string(type)]).array ?? []
    }

    // MARK: The protocol

    private func command(_ name: String, _ parameters: JSONValue) async throws {
        try await ask("POST", "goog/cdp/execute", ["cmd": .string(name), "params": parameters])
    }

    @discardableResult
    private func ask(_ method: String, _ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
        try await driver.ask(method, "/session/\(session)/\(path)", body)
    }
}

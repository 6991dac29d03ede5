import Testing

/// The browser that the tests of pages steer.
@Suite("The browser of the tests", .timeLimit(.minutes(10)), .serialized)
struct BrowserTests {
    @Test func `It runs pages, types, and tells what their console and network had`() async throws {
        try await WebDriver.run { browser in
            try await browser.open(
                "data:text/html,<meta name=viewport content=width=device-width><title>t</title><input id=a><p id=b></p><script>a.oninput=()=>b.innerText=a.value</script>"
            )
            try await browser.resize(width: 390)
            #expect(try await browser.value("return innerWidth") == 390)
            try await browser.type("hello", into: "#a")
            try await browser.wait(for: "#b", toSay: "hello")
            #expect(try await browser.text("#b") == "hello")
            try await browser.prefer(.dark)
            #expect(try await browser.value("return matchMedia('(prefers-color-scheme: dark)').matches") == true)
            _ = try await browser.value("console.error('oh'); return 1")
            #expect(try await browser.consoleErrors().contains { $0.contains("oh") })
            #expect(try await browser.requests().contains { $0.hasPrefix("data:text/html") })
            #expect(try await !browser.screenshot().isEmpty)
        }
    }

    @Test func `Axe finds what a screen reader cannot read`() async throws {
        try await WebDriver.run { browser in
            try await browser.open("data:text/html,<html lang=en><title>t</title><main><h1>t</h1><input></main>")
            #expect(try await Axe(browser: browser).findings().contains { $0.contains("<input>") })
        }
    }
}

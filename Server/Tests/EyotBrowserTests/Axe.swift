import EyotContract
import Foundation

/// The rules of accessibility that axe knows, run in the page. Only tests have it; nothing of it is shipped.
struct Axe {
    /// The script, in the folder into which `scripts/setup` puts what tests need.
    private static let script = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/axe/axe_playwright_python/axe.min.js")

    let browser: Browser

    /// Serious and critical findings on the page, a line each.
    func findings() async throws -> [String] {
        // Through the driver's own door, because the page's policy forbids scripts that are not its own.
        _ = try await browser.value("\(try String(contentsOf: Self.script, encoding: .utf8)); return true")
        let result = try await browser.promised("return (await axe.run()).violations")
        return (result.array ?? [.string("axe did not answer: \(result.text)")]).compactMap { violation in
            guard let rule = violation.object else { return violation.text }
            guard let impact = rule["impact"]?.string, ["serious", "critical"].contains(impact) else { return nil }
            let places = rule["nodes"]?.array?.compactMap { $0.object?["html"]?.string } ?? []
            return "\(impact): \(rule["help"]?.string ?? "?"): \(places.prefix(3).joined(separator: " "))"
        }
    }
}

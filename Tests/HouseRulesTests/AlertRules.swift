import Testing

/// The page of alerts and the rules for Prometheus name the same alerts.
enum AlertRules {
    /// The alerts that the rules have, in their order.
    static func alerts(_ rules: RepositoryFile) -> [String] {
        rules.lines.compactMap { $0.firstMatch(of: /^\s*- alert: (\w+)$/).map { String($0.1) } }
    }

    /// The alerts in the first column of the page's table.
    static func explained(_ page: RepositoryFile) -> Set<String> {
        Set(page.lines.compactMap { $0.firstMatch(of: /^\| `(Eyot\w+)` \|/).map { String($0.1) } })
    }
}

@Suite("Alerts")
struct AlertTests {
    private let here = Repository.here

    @Test func `Each alert is explained, and no other`() throws {
        let alerts = try AlertRules.alerts(here.file("deploy/prometheus/eyot-rules.yml"))
        #expect(alerts.count > 10)
        #expect(try AlertRules.explained(here.file("docs/guides/operate/alerts.md")) == Set(alerts))
    }
}

@Suite("Alerts: planted faults")
struct PlantedAlertTests {
    @Test func `Names are read from both`() {
        let rules = RepositoryFile("a.yml", "  - name: eyot\n      - alert: EyotDown\n        expr: up == 0\n")
        let page = RepositoryFile(
            "a.md", "| alert | means |\n|---|---|\n| `EyotDown` | no answer |\nSee `EyotSlow` | x |\n")
        #expect(AlertRules.alerts(rules) == ["EyotDown"])
        #expect(AlertRules.explained(page) == ["EyotDown"])
    }
}

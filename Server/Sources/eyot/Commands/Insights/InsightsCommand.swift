import ArgumentParser

struct InsightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insights", abstract: "Count what happened over time.",
        subcommands: [InsightsEvents.self, InsightsPeople.self])
}

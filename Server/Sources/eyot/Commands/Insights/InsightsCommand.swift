import ArgumentParser

struct InsightsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insights", abstract: "Count what happened, and what there is, over time.",
        subcommands: [InsightsEvents.self, InsightsPeople.self, InsightsType.self, InsightsAdoption.self])
}

import ArgumentParser
import EyotBench

struct BenchKickOff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kick-off", abstract: "Very many tokens come back while an update is on its way.",
        discussion: "What phones report goes from the call's body into the store; HTTP is not part of it.")

    @Option(help: "Tokens, 1,000 to 5,000,000.")
    var tokens = 1_000_000

    @Option(help: "Phones that wait for their answers at a time, 1 to \(KickOff.mostPhones).")
    var phones = 3_000

    @Flag(help: "Print the figures as an object.")
    var json = false

    func validate() throws {
        try BenchLimits.check("tokens", tokens, BenchLimits.cards)
        try BenchLimits.check("phones", phones, 1...KickOff.mostPhones)
    }

    func run() async throws {
        Output.report(try await KickOff(tokens: tokens, phones: phones).run { Output.err($0) }, json: json)
    }
}

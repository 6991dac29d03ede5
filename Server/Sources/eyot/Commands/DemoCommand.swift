import ArgumentParser
import EyotContract
import EyotLab
import Foundation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Play a World Cup match on simulated phones.",
        discussion: """
            Starts a server, Apple's push service and phones with the real SDK on this machine, and plays the match. \
            At the end it checks the cards of each phone. Exit code 1 means that a phone shows a wrong state. Nothing \
            leaves the machine. The first line has the address of a page that shows the phones.

            eyot demo --phones 1000 --match 2026/104
            """)

    @Option(help: "The number of phones, 1 to 10000.")
    var phones = 200

    @Option(help: "The match: two teams such as 2022/Argentina-France, or a number such as 2026/104.")
    var match = MatchFile.defaultMatch

    @Option(help: "The speed of the match, 0.01 to 1000. At speed 1 the match takes 20 seconds.")
    var speed = 1.0

    @Option(help: "A number that decides the actions of each phone.")
    var seed: UInt64 = 2022

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    /// How many seconds a match takes at speed 1.
    static let length = 20.0

    func validate() throws {
        guard (1...LabConfiguration.phoneLimit).contains(phones) else {
            throw ValidationError("--phones must lie between 1 and \(LabConfiguration.phoneLimit).")
        }
        guard (0.01...1_000).contains(speed) else { throw ValidationError("--speed must lie between 0.01 and 1000.") }
    }

    func run() async throws {
        let match = try MatchFile.match(match)
        let cast = DemoCast(phones: phones, seed: seed)
        let display = DemoDisplay()
        var configuration = LabConfiguration()
        configuration.types = [.match]
        configuration.seed = seed
        configuration.serverLogLevel = "warning"
        display.status("starting the server and the push service")
        let (json, speed) = (json, speed)
        let report = try await Lab.run(configuration) { lab in
            display.line("Watch the phones in a browser: \(lab.wallURL)")
            var demo = Demo(lab: lab, match: match, cast: cast, length: Self.length / speed, display: display)
            let report = try await demo.play()
            if json { Output.out(report.json.text) } else { for line in report.lines { Output.out(line) } }
            if lab.wallViewers > 0 {
                display.line("The phones stay while a browser shows them. Close the page, or press Ctrl-C.")
                try await lab.untilWallCloses()
            }
            return report
        }
        if !report.isGood { throw ExitCode.failure }
    }
}

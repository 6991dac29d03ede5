import ArgumentParser
import EyotContract
import EyotLab
import Foundation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Play a World Cup match on simulated phones.",
        discussion: """
            Starts a server, Apple's push service and phones with the real SDK on this machine, plays the match, and asks \
            the phones at the end what they show. Exit code 1 means that one shows something else than it should. Nothing \
            leaves the machine.
            """)

    @Option(help: "How many phones, 1 to 10000.")
    var phones = 200

    @Option(help: "Two teams such as 2022/Argentina-France, or a number such as 2026/104.")
    var match = MatchFile.defaultMatch

    @Option(help: "How many times as fast the match is played; 1 takes 20 seconds. All else keeps the wall clock.")
    var speed = 1.0

    @Option(help: "Decides which phones do what.")
    var seed: UInt64 = 2022

    @Flag(help: "Print the result as an object.")
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
        let report = try await Lab.run(configuration) { lab in
            var demo = Demo(lab: lab, match: match, cast: cast, length: Self.length / speed, display: display)
            return try await demo.play()
        }
        if json { Output.out(report.json.text) } else { for line in report.lines { Output.out(line) } }
        if !report.isGood { throw ExitCode.failure }
    }
}

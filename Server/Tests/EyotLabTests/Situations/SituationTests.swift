import EyotContract
import EyotDomain
import EyotLab
import Foundation
import Testing

/// Makes each situation on a phone of a lab, asks why, and does what the remedy says.
@Suite("Situations", .timeLimit(.minutes(10)))
struct SituationTests {
    @Test("Each is explained, and its remedy works", arguments: Situation.groups)
    func holds(_ group: Situation.Group) async throws {
        let (situations, first) = (group.situations, group.first)
        try await Lab.run(Rig.configuration(phones: 0)) { lab in
            for (index, situation) in situations.enumerated() where isWanted(first + index) {
                do {
                    try await check(situation, in: lab, number: first + index)
                } catch {
                    Issue.record("\(first + index) \(situation.name): \(error)")
                }
                lab.simulator.faults(of: .push).clear()
                lab.simulator.faults(of: .broadcast).clear()
            }
        }
    }

    /// `EYOT_SITUATIONS=209,305` makes these alone.
    private func isWanted(_ number: Int) -> Bool {
        guard let wanted = ProcessInfo.processInfo.environment["EYOT_SITUATIONS"] else { return true }
        return wanted.split(separator: ",").contains { $0 == "\(number)" }
    }

    private func check(_ situation: Situation, in lab: Lab, number: Int) async throws {
        let scene = try await scene(of: situation, in: lab, number)
        try await situation.make(scene)
        let finding = try await scene.untilFound(
            situation.code.rawValue, situation.confidence?.rawValue, asking: scene.query(situation.asks))
        #expect(finding["remedy"]?.string == situation.code.remedy)
        guard let remedy = situation.remedy, let outcome = situation.outcome else { return }
        try await remedy(scene)
        switch outcome {
        case .shows(let score): try await scene.untilShown(score)
        case .noCard: try await scene.until("no card is left") { scene.running.isEmpty }
        case .finding(let code):
            try await scene.untilFound(code.rawValue, asking: scene.query(situation.asks))
        }
    }

    private func scene(of situation: Situation, in lab: Lab, _ number: Int) async throws -> Scene {
        guard let options = situation.phone else { return Scene(lab: lab, number: number, device: nil) }
        let phone = try await lab.add("anna-\(number)") { $0 = options.with(user: "anna-\(number)") }
        return Scene(lab: lab, number: number, device: phone)
    }
}

extension PhoneOptions {
    fileprivate func with(user: String) -> PhoneOptions {
        var options = self
        options.user = user
        return options
    }
}

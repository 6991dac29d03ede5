import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotLab

/// The examples of the reference on a lab, judged by what phones show. That a call was accepted says little.
extension `The reference of the HTTP API` {
    /// A lab with two phones, and a folder in which blocks are run.
    private func onPhones(_ body: (Lab, URL, [String: String]) async throws -> Void) async throws {
        try await Rig.run(phones: 2) { lab in
            let description = await lab.description
            try await Self.withShell { folder, shell in
                var environment = shell
                environment["EYOT_URL"] = description.http
                environment["EYOT_API_KEY"] = description.apiKey
                environment["DEVICE_SECRET"] = "none"
                try await body(lab, folder, environment)
            }
        }
    }

    @Test func `What the page declares is on phones, as the page says it`() async throws {
        try await onPhones { lab, folder, environment in
            let url = try #require(environment["EYOT_URL"])
            let blocks = try Self.blocks()
            func play(_ marker: String, isStrict: Bool = true) async throws {
                let block = try #require(blocks.first { $0.text.contains(marker) }, "\(marker)")
                let (code, output, calls) = try await run(block, in: folder, environment, url: url)
                #expect(code == 0 && !calls.isEmpty, "\(output)")
                if isStrict { #expect(calls.allSatisfy { (200..<300).contains($0.status) }, "\(output)") }
            }
            let (first, second) = (lab.phones[0], lab.phones[1])
            try await play("/final-2022/start")
            try await lab.until {
                first.shows("final-2022", score: first.user == "user-1" ? 2 : 1)
                    && second.shows("final-2022", score: second.user == "user-1" ? 2 : 1)
            }
            // Held against the schema that the server has of the lab's type.
            for marker in ["/v1/declarations?dryRun", "/v1/definitions/goal", #""aps":{"sound":"goal.caf"}"#] {
                try await play(marker)
            }
            try await play("/final-2022/end")
            try await lab.until { lab.phones.allSatisfy { $0.shows("final-2022", score: 3, .ended) } }
            // The page's own device plays the phone there, so what Insider's calls about it answer is no matter here.
            try await play("/rest/3.0/sendBulkNotification", isStrict: false)
            let owner = try #require(lab.phones.first { $0.user == "user-1" })
            try await lab.until {
                lab.phones.allSatisfy { $0.shows("netmera-final", score: 1) && $0.shows(nil, score: 0) }
                    && owner.shows("netmera-own", score: 0) && owner.shows("braze-final", score: 1)
                    && owner.state.cards.count { $0.phase != .dismissed } == 6
            }
            for phone in lab.phones {
                #expect(!phone.state.pushes.entries.contains { $0.effect.reason?.code == "decodeFailed" })
            }
        }
    }

    @Test func `The examples of the description decode on phones, and show what they say`() async throws {
        try await onPhones { lab, _, _ in
            let described = try await lab.api.call("GET", "/openapi.json").body
            let shapes = described.object?["components"]?.object?["schemas"]?.object
            func example(_ name: String) throws -> JSONValue {
                try #require(shapes?[name]?.object?["examples"]?.array?.first, "\(name)")
            }
            for (verb, name, score) in [("start", "Start", 0), ("update", "Update", 1), ("end", "End", 3)] {
                try await lab.api.demand("POST", "/v1/activities/described/\(verb)", body: example(name))
                try await lab.until {
                    lab.phones.allSatisfy { $0.shows("described", score: score, verb == "end" ? .ended : .active) }
                }
            }
            let schema = try #require(LabType.match.schema)
            for name in ["Put", "DeclarationLine"] {
                let state = try #require(example(name).object?["contentState"])
                #expect(schema.mismatch(ofContentState: state) == nil, "\(name)")
            }
        }
    }
}

extension LabPhone {
    /// Whether a card of this name, nil for one without, shows a score.
    fileprivate func shows(_ name: String?, score: Int, _ phase: CardPhase = .active) -> Bool {
        state.cards.contains {
            self.name(of: $0) == name && $0.phase == phase
                && $0.content.state.object?["homeScore"]?.integer == score
        }
    }
}

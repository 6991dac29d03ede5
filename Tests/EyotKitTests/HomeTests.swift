import EyotContract
import EyotKit
import Foundation
import PhoneSimulator
import Testing

@Suite("A credential goes to the server that gave it", .timeLimit(.minutes(10)))
struct HomeTests {
    private let rig = Rig()

    private func configuration(_ server: String, appKey: String = "app-key") -> EyotConfiguration {
        var configuration = rig.configuration
        configuration.server = URL(string: server) ?? configuration.server
        configuration.appKey = appKey
        return configuration
    }

    @Test func `another server gets a registration without the secret, and everything that holds`() async throws {
        try await rig.launch { eyot in
            eyot.identify("anna")
            eyot.join("order", secret: "eyot_js_0123456789")
            eyot.follow(MatchAttributes.self)
            let instance = try rig.request("order").id
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
            await rig.server.wait { $0.startable == ["MatchAttributes"] }
        }
        let before = await rig.server.requests.count
        let other = ScriptedServer()
        try await rig.launch(as: configuration("https://other.example"), on: other) { eyot in
            eyot.follow(MatchAttributes.self)
            await other.wait { $0.startable == ["MatchAttributes"] && $0.actions.contains { $0.updateToken != nil } }
            _ = try await eyot.channel(of: "order")
        }
        #expect(await other.registrations.map(\.user) == ["anna"])
        let requests = await other.requests
        #expect(requests.allSatisfy { $0.host == "other.example" && $0.secret == nil })
        #expect(requests.first?.route == .register)
        #expect(requests.allSatisfy { !$0.body.text.contains("eyot_js_") })
        #expect(requests.filter { $0.route != .register }.allSatisfy { $0.bearer == "secret-1" })
        #expect(await rig.server.requests.count == before)
        // Back at the first, which knows the phone by its secret, and gets it alone.
        try await rig.launch { eyot in
            await rig.server.wait { $0.registrations.count == 2 }
            try await eyot.event { if case .registered = $0 { true } else { false } }
        }
        let register = await rig.server.requests.last { $0.route == .register }
        #expect(register?.secret == "secret-1")
        #expect(await Set(rig.server.registrations.map(\.installation)).count == 1)
    }

    @Test(arguments: ["https://eyot.example/", "https://EYOT.example", "https://eyot.example:443"])
    func `another spelling is no other server`(server: String) async throws {
        try await rig.launch { _ in await rig.server.wait { $0.registrations.count == 1 } }
        try await rig.launch(as: configuration(server)) { eyot in
            eyot.identify("anna")
            await rig.server.wait { $0.actions == [.identify(user: "anna")] }
        }
        #expect(await rig.server.registrations.count == 1)
    }

    @Test func `another app key is used at once, and a wrong one is reported`() async throws {
        try await rig.launch { eyot in
            eyot.identify("anna")
            await rig.server.wait { $0.actions == [.identify(user: "anna")] }
        }
        try await rig.launch(as: configuration("https://eyot.example", appKey: "wrong")) { eyot in
            eyot.addTags(["second-key"])
            try await eyot.problem { if case .registrationRefused(401, _) = $0 { true } else { false } }
        }
        #expect(await rig.server.books.actions == [.identify(user: "anna")])
        let file = try String(contentsOf: rig.directory.appendingPathComponent("eyot.jsonl"), encoding: .utf8)
        #expect(!file.contains("app-key"))
        try await rig.launch { _ in await rig.server.wait { $0.actions.last == .profile(.init(tags: ["second-key"])) } }
    }

    @Test func `another app gets no secret`() async throws {
        try await rig.launch { _ in await rig.server.wait { $0.registrations.count == 1 } }
        var configuration = rig.configuration
        configuration.bundleID = "com.example.other"
        let other = ScriptedServer()
        try await rig.launch(as: configuration, on: other) { _ in await other.wait { $0.registrations.count == 1 } }
        #expect(await other.requests.first?.secret == nil)
    }
}

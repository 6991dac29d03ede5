import APNSSimulator
import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// The whole platform: real server, real HTTP, real SDK; only Apple and the phones are simulated.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The whole platform` {
    @Test func `A match that the server starts appears, goes on and ends on every phone`() async throws {
        try await Rig.run(phones: 12) { lab in
            let started = try await lab.start()
            #expect(started.object?["starting"] == 12)
            try await lab.untilShown(score: 0)
            try await lab.untilTokens(12)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            try await lab.declare("end", score: 2)
            try await lab.untilShown(score: 2, .ended)
            #expect(lab.phones.allSatisfy { $0.state.cards.count == 1 }, "nobody got a second card")
        }
    }

    @Test func `A start whose attributes do not say the name leads to cards that know it`() async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start(attributes: ["home": "ARG", "away": "FRA"])
            try await lab.untilTokens(2)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
        }
    }

    @Test func `A card that the app starts is updated under its name`() async throws {
        try await Rig.run(phones: 3) { lab in
            for phone in lab.phones { try phone.startLocally() }
            try await lab.untilTokens(3)
            try await lab.declare("update", score: 4)
            try await lab.untilShown(score: 4)
        }
    }

    @Test func `A phone that joins late is brought up to date at once`() async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start()
            try await lab.untilTokens(2)
            try await lab.declare("update", score: 3)
            try await lab.untilShown(score: 3)
            let late = try await lab.addPhones(1, .init(tags: ["late"]))
            try late[0].startLocally()
            try await lab.untilShown(score: 3)
            try await lab.declare("end", score: 5)
            try await lab.untilShown(score: 5, .ended)
        }
    }

    @Test func `A card that an app starts after the end is ended`() async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start(tag: "fans")
            try await lab.untilTokens(2)
            try await lab.declare("end", score: 5)
            try await lab.untilShown(score: 5, .ended)
            let late = try await lab.addPhones(1, .init(tags: ["late"]))
            try late[0].startLocally()
            try await lab.untilShown(score: 5, .ended)
        }
    }

    @Test func `A card whose phone was offline at the end is ended when its token comes`() async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start()
            try await lab.untilTokens(2)
            let late = try await lab.addPhones(1, .init(tags: ["late"]))
            try await lab.until { late[0].confirmedChanges > 0 }
            late[0].goOffline()
            try late[0].startLocally()
            try await lab.declare("end", score: 5)
            try await lab.untilShown(score: 5, .ended, on: Array(lab.phones.prefix(2)))
            #expect(late[0].shows(score: 0))
            late[0].goOnline()
            try await lab.untilShown(score: 5, .ended)
        }
    }

    @Test func `A match with a channel goes on and ends by broadcasts, and no card gets a push`() async throws {
        try await Rig.run(phones: 4) { lab in
            try await lab.start([("channel", true)])
            try await lab.untilShown(score: 0)
            let channel = try #require(lab.simulator.channels(of: LabConfiguration.bundleID, in: .sandbox).first)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            lab.phones[0].goOffline()
            try await lab.declare("update", score: 2)
            try await lab.untilShown(score: 2, on: Array(lab.phones.dropFirst()))
            lab.phones[0].goOnline()
            try await lab.untilShown(score: 2)
            try await lab.declare("end", score: 3)
            try await lab.untilShown(score: 3, .ended)
            let requests = lab.simulator.requests(limit: 1_000)
            let pushes = requests.filter { $0.endpoint.service == .push }
            #expect(pushes.count == 4, "starts, and nothing else")
            for start in pushes {
                let body = String(decoding: start.payload, as: UTF8.self)
                #expect(body.contains(#""input-push-channel":"\#(channel.text)""#), "\(body)")
            }
            #expect(requests.count { $0.endpoint == APNSEndpoint(.broadcast, .sandbox) } <= 5)
            // Phones show what Apple hands on before its answer has been counted.
            let report = try await lab.report { report in
                (report.object?["tally"]?.object?["broadcasts"]?.object?["accepted"]?.integer ?? 0) >= 3
            }
            let shown = report.object?["channels"]?.array?.compactMap(\.object) ?? []
            #expect(shown.contains { $0["channel"] == .string(channel.text) && $0["state"] == "leased" })
            let tally = report.object?["tally"]?.object
            #expect((tally?["accepted"]?.integer ?? 0) <= 4, "starts at most")
        }
    }

    @Test func `A token that changes keeps its card up to date`() async throws {
        try await Rig.run(phones: 3) { lab in
            try await lab.start()
            try await lab.untilTokens(3)
            for phone in lab.phones { try phone.rotateToken(.only) }
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            try await lab.declare("update", score: 2)
            try await lab.untilShown(score: 2)
        }
    }

    @Test func `An app that was swiped away takes up its card when it is opened`() async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start()
            try await lab.untilTokens(2)
            let phone = lab.phones[0]
            phone.forceQuit()
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            try phone.rotateToken(.only)
            phone.launch()
            try await lab.declare("update", score: 2)
            try await lab.untilShown(score: 2)
        }
    }

    @Test func `A card that a person dismissed does not come back`() async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start()
            try await lab.untilTokens(2)
            try lab.phones[0].dismiss(.only)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1, on: [lab.phones[1]])
            try await lab.start()
            try await lab.declare("end", score: 2)
            try await lab.untilShown(score: 2, .ended, on: [lab.phones[1]])
            #expect(lab.phones[0].cardsInView.isEmpty)
        }
    }

    @Test func `A server that is killed in the middle of a fan-out finishes it after its restart`() async throws {
        try await Rig.run(phones: 20) { lab in
            let started = try await lab.start()
            try await lab.untilTokens(20)
            // What a new token is sent would use up the faults.
            try await lab.untilDone(started)
            // The first five updates get through; of the others nothing is ever heard.
            lab.simulator.faults.enqueue(Array(repeating: .none, count: 5) + Array(repeating: .stall, count: 100))
            try await lab.declare("update", score: 1)
            try await lab.until { lab.phones.count { $0.shows(score: 1) } == 5 }
            await lab.killServer()
            #expect(await lab.serverPID == nil)
            lab.simulator.faults.clear()
            try await lab.startServer()
            try await lab.untilShown(score: 1)
            #expect(lab.phones.allSatisfy { $0.state.cards.count == 1 }, "no start was repeated")
        }
    }

    @Test func `A server that is killed in the middle of the starts starts no card twice`() async throws {
        try await Rig.run(phones: 10) { lab in
            lab.simulator.faults.enqueue(Array(repeating: .none, count: 4) + Array(repeating: .answerLost, count: 100))
            try await lab.start()
            try await lab.until { lab.phones.allSatisfy { $0.cardsInView.count == 1 } }
            await lab.killServer()
            lab.simulator.faults.clear()
            try await lab.startServer()
            try await lab.untilTokens(10)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            #expect(lab.phones.allSatisfy { $0.state.cards.count == 1 })
        }
    }

    @Test func `A second server on the database of a running one refuses to start, and says what to do`() async throws {
        try await Rig.run(phones: 1) { lab in
            let second = try await Program(
                Rig.executable.path, ["serve"],
                environment: ["EYOT_DATABASE_URL": lab.description.database, "EYOT_HTTP_PORT": "0"]
            ).run()
            #expect(second.code == 1)
            let pid = try #require(await lab.serverPID)
            #expect(second.errors.contains("databaseInUse: another eyot serve uses this database (process \(pid))"))
            try await lab.start()
            try await lab.untilTokens(1)
        }
    }

    @Test func `A lab takes up phones, cards and server where it left them`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Rig.configuration(phones: 2)
        configuration.folder = folder
        let first = try await Lab.run(configuration) { lab in
            try await lab.untilStartable(2, tag: "fans")
            try await lab.start()
            try await lab.untilTokens(2)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            return (keys: await lab.description.apiKey, tokens: lab.phones.map { $0.state.cards[0].updateToken })
        }
        try await Lab.run(configuration) { lab in
            #expect(lab.phones.map(\.id) == ["phone-1", "phone-2"])
            #expect(await lab.description.apiKey == first.keys)
            #expect(lab.phones.map { $0.state.cards[0].updateToken } == first.tokens)
            try await lab.declare("update", score: 2)
            try await lab.untilShown(score: 2)
        }
    }

    @Test func `What was planned comes at its time, over a kill of the server and a clock that jumps`() async throws {
        try await Rig.run(phones: 2) { lab in
            let plan = ["startsAt": 3_600.0, "endsAt": 7_200].map { name, lead in
                (name, JSONValue.string(RFC3339.text(of: lab.now.addingTimeInterval(lead))))
            }
            try await lab.start(plan)
            await lab.killServer()
            try await lab.startServer()
            try await lab.declare("update", score: 1)
            #expect(lab.phones.allSatisfy { $0.state.cards.isEmpty })
            try await lab.advanceClock(by: 3_700)
            try await lab.untilShown(score: 1)
            await lab.killServer()
            try await lab.advanceClock(by: 3_600)
            try await lab.startServer()
            try await lab.untilShown(score: 1, .ended)
            #expect(lab.phones.allSatisfy { $0.state.cards.count == 1 })
        }
    }

    @Test func `A card whose person has not tapped Allow is seen to wait for it, and is brought up to date then`()
        async throws
    {
        try await Rig.run(phones: 1) { lab in
            lab.phones[0].changeSettings { $0.allowed = .afterAsking }
            try await lab.start()
            try await lab.untilPhase("waitingForAllow", 1)
            try await lab.declare("update", score: 2)
            #expect(lab.phones[0].shows(score: 0))
            lab.phones[0].pressAllow()
            try await lab.untilShown(score: 2)
        }
    }

    @Test func `Time that jumps makes a card stale on the phone and moves the server's clock`() async throws {
        try await Rig.run(phones: 1) { lab in
            try await lab.start()
            try await lab.untilTokens(1)
            try await lab.declare("update", score: 1, [("staleAfter", 3_600)])
            try await lab.untilShown(score: 1)
            try await lab.advanceClock(by: 3_700)
            try await lab.untilShown(score: 1, .stale)
            try await lab.declare("update", score: 2)
            try await lab.untilShown(score: 2)
        }
    }
}

extension PhoneOptions {
    fileprivate init(tags: [String]) {
        self.init()
        self.tags = tags
    }
}

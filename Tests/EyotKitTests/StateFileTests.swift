import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotKit

@Suite("The SDK's file", .timeLimit(.minutes(10)))
struct StateFileTests {
    private let rig = Rig()

    private var path: URL { rig.directory.appendingPathComponent("eyot.jsonl") }

    private func fullState() throws -> KitState {
        let token = try #require(PushToken(hex: "00ff"))
        let card = KnownCard(
            instance: "i-1", name: "final \"1\"\n", type: "T", firstSeen: Date(timeIntervalSince1970: 10.5),
            token: token,
            isTokenConfirmed: true, isTracked: false)
        var state = KitState.fresh()
        state.registration = Registered(
            credentials: DeviceCredentials(device: "d", secret: "s", epoch: 3), fingerprint: "a|b")
        state.user = "Zoë"
        state.startTokens = [
            "T": StartTokenRecord(token: token, confirmed: Date(timeIntervalSince1970: 20)),
            "U": StartTokenRecord(token: token),
        ]
        state.startNames = ["matches": "T"]
        state.cards = [card.instance: card]
        for action in DeviceChange.Action.samples(token: token) {
            _ = state.outbox.append(action)
        }
        return state
    }

    @Test func `gives back what was put in`() throws {
        let file = StateFile(directory: rig.directory)
        let state = try fullState()
        try file.save(state)
        guard case .state(let found) = file.load() else {
            Issue.record("the file was not readable")
            return
        }
        #expect(found == state)
        #expect(found.outbox.entries.count == 5)
    }

    @Test func `remembers the last number though nothing waits`() throws {
        var state = try fullState()
        _ = state.outbox.confirm(through: .max)
        let file = StateFile(directory: rig.directory)
        try file.save(state)
        guard case .state(let found) = file.load() else {
            Issue.record("the file was not readable")
            return
        }
        #expect(found.outbox.lastSequence == 5)
    }

    @Test func `passes over records that a newer version wrote`() throws {
        let state = try fullState()
        let lines = state.lines + [["kind": "channel", "id": "x"]]
        #expect(try KitState(lines: lines) == state)
    }

    @Test(arguments: [
        ##"{"sequence":4,"kind":"cardTurned","instance":"i-1"}"##,
        ##"{"sequence":4,"kind":"cardEvent","instance":"i-1","name":"final","type":"T","event":"shaken"}"##,
        ##"{"sequence":4,"kind":"logout","why":"tired"}"##,
    ])
    func `passes over changes that a newer version wrote, and tells the server anew what holds`(text: String) throws {
        let state = try fullState()
        let change = try JSONValue(parsing: Array(text.utf8))
        let found = try KitState(lines: state.lines + [["kind": "change", "change": change]])
        #expect(found.outbox == state.outbox && found.installation == state.installation)
        #expect(found.registration?.credentials == state.registration?.credentials)
        #expect(found.registration?.fingerprint == "")
    }

    @Test func `is left out of back-ups, at every save and where it lies there already`() throws {
        let told = Guarded<[String]>([])
        let file = StateFile(
            directory: rig.directory, exclude: { url in told.withLock { $0.append(url.lastPathComponent) } })
        // The app's own folder, which is none of our business.
        try FileManager.default.createDirectory(at: rig.directory, withIntermediateDirectories: true)
        try file.save(try fullState())
        try file.save(try fullState())
        _ = file.load()
        #expect(told.withLock { $0 } == ["eyot.new.jsonl", "eyot.new.jsonl", "eyot.jsonl"])
    }

    @Test(
        "that cannot be read is set aside and reported, and the installation begins anew",
        arguments: [
            "", "{", "garbage\n", "{\"kind\":\"eyot\",\"format\":2}\n", "{\"kind\":\"card\"}\n",
            "\u{0}\u{0}\u{0}\n",
        ])
    func corrupt(text: String) async throws {
        try FileManager.default.createDirectory(at: rig.directory, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: path)
        let aside = rig.directory.appendingPathComponent("eyot.corrupt.jsonl")
        try await rig.launch { eyot in
            try await eyot.problem { $0 == .storeCorrupt(setAside: aside.path) }
            eyot.identify("user-1")
            await rig.server.wait { $0.actions == [.identify(user: "user-1")] }
        }
        #expect(try Data(contentsOf: aside) == Data(text.utf8))
        guard case .state = StateFile(directory: rig.directory).load() else {
            Issue.record("the new file is not readable")
            return
        }
    }

    @Test(arguments: [CocoaError.fileReadNoPermission, .fileReadUnknown, .fileReadTooLarge])
    func `that nobody may read yet is waited for, and stays where it is`(code: CocoaError.Code) async throws {
        let state = try fullState()
        try StateFile(directory: rig.directory).save(state)
        let isUnlocked = Guarded(false)
        let file = StateFile(directory: rig.directory) { url in
            guard isUnlocked.withLock({ $0 }) else { throw CocoaError(code) }
            return try Data(contentsOf: url)
        }
        let problems = Guarded<[EyotEvent]>([])
        let ledger = InstallationLedger(
            file: file, clock: rig.clock, osVersion: "18.1", board: StatusBoard(),
            announce: { event in problems.withLock { $0.append(event) } },
            somethingToSend: { _ in })
        #expect(await !ledger.open())
        #expect(await ledger.deviceSecret() == nil)
        isUnlocked.withLock { $0 = true }
        #expect(await ledger.deviceSecret() == "s")
        #expect(await ledger.open())
        #expect(await ledger.state.installation == state.installation)
        #expect(problems.withLock { $0 } == [.problem(.storeLocked)])
    }
}

extension DeviceChange.Action {
    /// Five that do not merge.
    fileprivate static func samples(token: PushToken) -> [DeviceChange.Action] {
        let card = Card(instance: "i-1", name: "final", type: "T")
        return [
            .setStartToken(type: "T", token: token), .setUpdateToken(card, token: token), .identify(user: "Zoë"),
            .cardEvent(card, .contentApplied), .running(type: "T", instances: ["i-1"]),
        ]
    }
}

import EyotTestKit
import Foundation
import Testing

/// `eyot push` as a process: what it says of a payload before it sends anything.
@Suite struct `Pushing one payload` {
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")

    /// No key is read, and no address is asked, before the payload is good.
    private func push(
        _ payload: String, _ options: String...
    ) async throws -> (code: Int32, out: String, err: String) {
        let arguments = [
            "push", "abcd", payload, "--p8", "/nonexistent/AuthKey_KEY1234567.p8", "--team-id", "TEAM123456",
            "--topic", "app.push-type.liveactivity",
        ]
        let ended = try await Program(Self.executable.path, arguments + options).run()
        return (ended.code, ended.output, ended.errors)
    }

    @Test(
        arguments: [
            (#"{"aps": {"timestamp": 1, "event": "start",}}"#, "the payload is not JSON"),
            (
                #"{"aps":{"timestamp":1,"event":"start","content-state":{},"attributes-type":"T","attributes":{}}}"#,
                "a start needs an alert: aps.alert lacks title and body"
            ), (#"{"aps":{"timestamp":1,"event":"update"}}"#, "aps.content-state is missing"),
        ])
    func `What phones would drop is not sent, and the reason is a sentence`(payload: String, words: String) async throws
    {
        let (code, out, err) = try await push(payload)
        #expect(code == 1 && out == "")
        #expect(err.contains("the push was not sent") && err.contains(words), "\(err)")
        let json = try await push(payload, "--json")
        #expect(json.code == 1 && json.out.contains(#""verdict":"notSent""#) && json.out.contains(words), "\(json.out)")
        let forced = try await push(payload, "--force")
        #expect(forced.code == 1 && forced.err.contains("AuthKey_KEY1234567.p8 cannot be read"), "\(forced.err)")
    }

    @Test func `A schema is held against it, and a misspelt member is a note`() async throws {
        let schema = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(
            #"{"title":"T","attributes":{},"contentState":{"properties":{"score":{"type":"integer"}}}}"#.utf8
        ).write(to: schema)
        defer { try? FileManager.default.removeItem(at: schema) }
        let payload = #"{"aps":{"timestamp":1,"event":"update","state-date":1,"content-state":{"score":0.5}}}"#
        let held = try await push(payload, "--schema", schema.path)
        #expect(held.code == 1 && held.err.contains("content-state.score: 0.5 does not decode as Int"), "\(held.err)")
        #expect(held.err.contains("Note: Apple names no member aps.state-date; is stale-date meant?."), "\(held.err)")
        let free = try await push(payload)
        #expect(free.code == 1 && free.err.contains("cannot be read"), "\(free.err)")
    }
}

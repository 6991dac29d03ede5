import Foundation
import Testing

/// `eyot push` as a process: what it says of a payload before it sends anything.
@Suite struct `Pushing one payload` {
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")

    /// No key is read, and no address is asked, before the payload is good.
    private func push(_ payload: String, _ options: String...) throws -> (code: Int32, out: String, err: String) {
        let (process, out, err) = (Process(), Pipe(), Pipe())
        process.executableURL = Self.executable
        process.arguments =
            [
                "push", "abcd", payload, "--p8", "/nonexistent/AuthKey_KEY1234567.p8", "--team-id", "TEAM123456",
                "--topic",
                "app.push-type.liveactivity",
            ] + options
        (process.standardOutput, process.standardError) = (out, err)
        try process.run()
        let words = [out, err].map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
        process.waitUntilExit()
        return (process.terminationStatus, words[0], words[1])
    }

    @Test(
        arguments: [
            (#"{"aps": {"timestamp": 1, "event": "start",}}"#, "the payload is not JSON"),
            (
                #"{"aps":{"timestamp":1,"event":"start","content-state":{},"attributes-type":"T","attributes":{}}}"#,
                "a start needs an alert: aps.alert lacks title and body"
            ), (#"{"aps":{"timestamp":1,"event":"update"}}"#, "aps.content-state is missing"),
        ])
    func `What phones would drop is not sent, and the reason is a sentence`(payload: String, words: String) throws {
        let (code, out, err) = try push(payload)
        #expect(code == 1 && out == "")
        #expect(err.contains("the push was not sent") && err.contains(words), "\(err)")
        let json = try push(payload, "--json")
        #expect(json.code == 1 && json.out.contains(#""verdict":"notSent""#) && json.out.contains(words), "\(json.out)")
        let forced = try push(payload, "--force")
        #expect(forced.code == 1 && forced.err.contains("AuthKey_KEY1234567.p8 cannot be read"), "\(forced.err)")
    }

    @Test func `A schema is held against it, and a misspelt member is a note`() throws {
        let schema = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(
            #"{"title":"T","attributes":{},"contentState":{"properties":{"score":{"type":"integer"}}}}"#.utf8
        ).write(to: schema)
        defer { try? FileManager.default.removeItem(at: schema) }
        let payload = #"{"aps":{"timestamp":1,"event":"update","state-date":1,"content-state":{"score":0.5}}}"#
        let held = try push(payload, "--schema", schema.path)
        #expect(held.code == 1 && held.err.contains("content-state.score: 0.5 does not decode as Int"), "\(held.err)")
        #expect(held.err.contains("Note: Apple names no member aps.state-date; is stale-date meant?."), "\(held.err)")
        let free = try push(payload)
        #expect(free.code == 1 && free.err.contains("cannot be read"), "\(free.err)")
    }
}

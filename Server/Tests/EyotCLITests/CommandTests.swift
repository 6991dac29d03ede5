import APNSWire
import ArgumentParser
import EyotContract
import EyotLab
import EyotSQLite
import EyotServer
import Foundation
import GRDB
import Testing

@testable import eyot

@Suite struct `The command line` {
    /// The output and the end of a call that its arguments alone decide.
    private func ending(_ line: String) -> (code: Main.Code, text: String) {
        do {
            _ = try EyotCommand.parseAsRoot(line.split(separator: " ").map(String.init))
            return (.done, "")
        } catch {
            return Main.ending(of: error)
        }
    }

    @Test(arguments: [
        "--help", "activity --help", "--version", "token restore --all", "app halt a.b",
        "operation show 1 --wait --timeout 5",
        "activity start final --to-test-device a --definition g --parameters {\"a\":1} --dry-run",
        "test-device set a --user b", "definition set a {}",
        "activity halt m", "activity resume m", "type halt T", "type resume T",
        "token restore --activity m --ordinal 3", "token import a.csv --format csv --type T --dry-run",
        "help push", "migrate --check --json", "activity start final --tag fans --type T",
        "lab --phones 0 --type A --type B:name=game=b.json", "lab --json", "lab compare a.jsonl --ios 18.1 --json",
        "demo --match 2026/104 --speed 2", "health --live --url http://127.0.0.1:1",
        "segment set early --tag fans", "segment remove early", "audience count --all --type T --activity final",
    ])
    func `What makes sense ends with 0`(line: String) { #expect(ending(line).code == .done) }

    @Test(arguments: [
        "nonsense", "activity start", "activity start final --tag a --all", "activity update final --state {broken",
        "lab --phones -1", "lab --type =x", "lab --http-port 70000", "lab compare", "lab compare a.jsonl --ios new",
        "lab compare a.jsonl --tolerance -1", "demo --phones 0", "demo --speed 0", "push",
        "push 00 {} --p8 a --team-id b --topic c --environment moon", "user set", "user set a --tag b --no-tags",
        "identity mode on",
        "test-device set a", "test-device set a --user b --device 1", "activity start a --all --to-test-device b",
        "operation show 1 --timeout 0", "token restore", "token restore --all --device 1",
        "token restore --device 1 --ordinal 2",
    ])
    func `What makes no sense ends with 2 and says why`(line: String) {
        let (code, text) = ending(line)
        #expect(code == .misused)
        #expect(text.contains("Error:"), "\(text)")
    }

    @Test func `A wrong setting ends with 2, so that a supervisor does not try it again`() async {
        #expect(await Main.run(["migrate", "--check", "--database-url", "mysql:x"]) == .misused)
        #expect(await Main.run(["migrate", "--check", "--config", "/nowhere/eyot.yaml"]) == .misused)
    }

    @Test func `What fails ends with 1`() async {
        #expect(Main.ending(of: CommandFailure("no")) == (.failed, "Error: no"))
        #expect(await Main.run(["demo", "--match", "Atlantis-France"]) == .failed)
        #expect(
            await Main.run(["jwt", "--p8", "/nowhere/AuthKey_ABCDEFGHIJ.p8", "--team-id", "ABCDEFGHIJ"]) == .failed)
    }

    @Test(
        arguments: [
            ("activty list", "eyot activity"), ("activity strat a", "eyot activity start"), ("ap list", "eyot app"),
            ("activity list", nil), ("zzzzzz", nil), ("help", nil), ("activity start --all", nil),
        ] as [(String, String?)])
    func `A command that is mistyped is answered with a near one`(line: String, near: String?) {
        let text = CommandSuggestion.text(for: line.split(separator: " ").map(String.init))
        #expect(text == near.map { "Did you mean `\($0)`?" })
    }

    @Test func `A failure as JSON is the server's problem, or says what happened`() {
        let refused = CommandFailure("no", problem: JSONObject([("code", "keyInvalid")]))
        #expect(Main.failure(refused, "Error: no") == ["code": "keyInvalid"])
        #expect(Main.failure(CommandFailure("no"), "Error: no") == ["detail": "no"])
    }

    @Test(
        arguments: [
            ("Game", TypeOption(name: "Game")), ("Game:name=id", TypeOption(name: "Game", nameMember: "id")),
            ("Game=s.json", TypeOption(name: "Game", schema: "s.json")),
            ("Game:name=id=a=b.json", TypeOption(name: "Game", nameMember: "id", schema: "a=b.json")),
            ("", nil), ("=s.json", nil), ("Game:name=", nil), ("Game=", nil), ("Game:title=x", nil),
        ] as [(String, TypeOption?)])
    func `A type is read from its text`(text: String, option: TypeOption?) {
        #expect(TypeOption(argument: text) == option)
    }
}

@Suite struct `The settings of commands` {
    @Test func `Every setting is an option of the commands that open the database or check the settings`() throws {
        let options = Setting.allCases.flatMap { ["--\($0.rawValue)", "value of \($0.rawValue)"] }
        let flags = try SettingOptions.parse(options).flags
        #expect(flags.count == Setting.allCases.count)
        for (setting, text) in flags { #expect(text == "value of \(setting.rawValue)") }
        for command in [
            "serve", "doctor", "key create --operator", "master-key drop --yes", "master-key rotate --to a",
            "member list", "member add a", "member link a", "member sign-out a", "database backup a",
            "database restore a", "database size", "database vacuum",
        ] {
            _ = try EyotCommand.parseAsRoot(command.split(separator: " ").map(String.init) + options)
        }
    }

    @Test func `The file of settings holds for each of them, and is named if it cannot be read`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        let options = try SettingOptions.parse(["--config", path, "--http-port", "1"])
        let error = #expect(throws: SettingError.self) { try options.configuration() }
        #expect(error?.description.contains(path) == true)
        try "http-port: 2\nkeep-event-days: 5\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let configuration = try options.configuration()
        #expect(configuration.listeners[.http]?.port == 1)
        #expect(configuration.retention.events == 5 * 86_400)
    }

    @Test func `The file of the current folder is read, or else the package's by its own program`() {
        let installed = "/etc/eyot/eyot.yaml"
        func file(_ program: String?, _ there: Set<String>) -> String? {
            SettingOptions.defaultFile(of: program, exists: there.contains)
        }
        #expect(file("/usr/bin/eyot", ["eyot.yaml", installed]) == "eyot.yaml")
        #expect(file("/usr/bin/eyot", [installed]) == installed)
        #expect(file("/usr/local/bin/eyot", [installed]) == nil)
        #expect(file(nil, [installed]) == nil)
        #expect(file("/usr/bin/eyot", []) == nil)
    }

    @Test func `A key comes from its variable, or from the file that a variable names`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try "secret\n".write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try ServerOptions.key(in: ["EYOT_API_KEY_FILE": path]) == "secret")
        #expect(try ServerOptions.key(in: ["EYOT_API_KEY": "a", "EYOT_API_KEY_FILE": path]) == "a")
        #expect(throws: ValidationError.self) { try ServerOptions.key(in: ["EYOT_API_KEY_FILE": path + ".none"]) }
        #expect(throws: ValidationError.self) { try ServerOptions.key(in: [:]) }
    }

    @Test func `A server that cannot start says its code`() throws {
        let fault = try #require(StartFault.clock(Date(timeIntervalSince1970: 0)))
        #expect(Main.failure(fault, "Error: no") == ["detail": "no", "code": "clockOff"])
    }
}

@Suite struct `What commands print` {
    @Test func `A table has a column for each path, and a dash where nothing is`() {
        let table = Table(
            columns: ["name", "age.p99", "tags"],
            rows: [["name": "final", "age": ["p99": 0.25], "tags": ["a", "b"]], ["name": "a much longer name"]])
        #expect(
            table.lines == [
                "NAME                P99   TAGS", "final               0.25  a, b", "a much longer name  -     -",
            ])
    }

    @Test func `A member of several words has a heading of several words`() {
        #expect(Table(columns: ["osVersion"], rows: [["osVersion": "26.0"]]).lines == ["OS VERSION", "26.0"])
        #expect(Table(columns: ["bundleID"], rows: [["bundleID": "a.b"]]).lines == ["BUNDLE ID", "a.b"])
    }

    @Test func `Counts are named and those of 0 left out, but not in what phones show`() throws {
        let value: JSONValue = ["phases": ["live": 3, "dead": 0], "contentState": ["score": 0], "skipped": [:]]
        let members = try #require(value.object?.members)
        #expect(Set(members.map(Table.text(of:))) == ["live 3", #"{"score":0}"#, "-"])
    }

    @Test func `A long text is cut in its cell`() {
        #expect(Table.text(of: .string(String(repeating: "x", count: 100))).count == Table.cellLimit)
    }

    @Test func `A verdict of Apple's says what it means`() throws {
        let id = APNSID(high: 1, low: 2)
        let refused = PushCommand.report(.refused(.unregistered), id: id, deadSince: 1_671_375_600_000)
        #expect(refused.object?["reason"] == "Unregistered")
        #expect(refused.object?["status"] == 410)
        #expect(refused.object?["meaning"]?.string == APNSReason.unregistered.meaning)
        #expect(refused.object?["deadSince"] == "2022-12-18T15:00:00Z")
        #expect(PushCommand.report(.accepted, id: id, deadSince: nil).object?["verdict"] == "accepted")
        #expect(PushCommand.report(.unknown, id: id, deadSince: nil).object?["verdict"] == "unknown")
    }
}

@Suite struct `What the doctor finds` {
    private func file(_ text: String, mode: Int = 0o600) throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode]))
        return path
    }

    @Test(arguments: [
        ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "certificate"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n", "RSA"),
        ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n", "password"),
        ("0\u{02}binary", ".p12"), ("", "empty"),
    ])
    func `A file that is no .p8 is recognised, with how to get one`(text: String, word: String) throws {
        let path = try file(text)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let finding = Doctor.key(at: path)
        #expect(finding.state == .bad)
        #expect(finding.words.contains(word), "\(finding.words)")
        #expect(finding.words.contains("developer.apple.com"))
    }

    @Test func `A clock that stands before this version was written is wrong`() {
        #expect(Doctor.clock(Date(timeIntervalSince1970: 0)).state == .bad)
        #expect(Doctor.clock(StartFault.earliest + 60).state == .good)
        #expect(Doctor.clock(StartFault.latest + 60).state == .bad)
    }

    @Test func `A key without an app is no fault of the server`() {
        let unnamed = Doctor.finding(of: CommandFailure("refused", problem: JSONObject([("field", "Eyot-App")])))
        #expect(unnamed.state == .warning)
        #expect(unnamed.words.contains("--app"))
        #expect(Doctor.finding(of: CommandFailure("refused", problem: JSONObject([("field", "name")]))).state == .bad)
        #expect(Doctor.finding(of: CommandFailure("no answer")).state == .bad)
    }

    @Test func `Every host of Apple's is probed, and those that only channels need are no fault`() async throws {
        // Nothing listens there.
        let nowhere = "https://127.0.0.1:1"
        let names = ["SANDBOX", "PRODUCTION", "BROADCAST", "CHANNELS"]
        let values = try SettingValues(
            flags: [:],
            environment: Dictionary(uniqueKeysWithValues: names.map { ("EYOT_APNS_\($0)_URL", nowhere) }))
        let findings = await Doctor.apns(try ServerConfiguration(values))
        #expect(
            findings.map(\.check) == [
                "apns sandbox", "apns production", "apns sandbox broadcasts", "apns production broadcasts",
                "apns sandbox channels", "apns production channels",
            ])
        #expect(findings.map(\.state) == [.bad, .bad, .warning, .warning, .warning, .warning])
        #expect(findings.allSatisfy { $0.words.contains(nowhere) })
    }

    @Test func `What keeps a running server from taking calls or pushing is a finding, and other checks are none`()
        throws
    {
        let answer = try JSONValue(
            parsing: Array(
                #"""
                {"code":"unavailable","checks":[{"code":"store","ok":false,"sentence":"databaseRights: no"},
                 {"code":"pushing","ok":true,"sentence":"It pushes."},{"code":"keys","ok":false,"sentence":"No key."}]}
                """#.utf8))
        #expect(Doctor.checks(answer).map(\.words) == ["databaseRights: no"])
        #expect(Doctor.checks(answer).map(\.state) == [.bad])
    }

    @Test func `A database that was changed by hand is found before a start meets it`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "eyot-doctor-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "eyot.sqlite").path
        try SQLiteDatabase(path: path).close()
        #expect(Doctor.database(.sqlite(path: path)).state == .good)
        let other = try DatabaseQueue(path: path)
        try other.write { try $0.execute(sql: "DROP INDEX events_of_app") }
        try other.close()
        let finding = Doctor.database(.sqlite(path: path))
        #expect((finding.state, finding.code) == (.bad, "schemaForeign"))
        #expect(finding.words.contains("events_of_app"))
    }

    @Test func `A database that is none is told apart from one that will be made`() throws {
        let path = try file("this is a letter, not a database")
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(Doctor.database(.sqlite(path: path)).state == .bad)
        #expect(Doctor.database(.sqlite(path: path + ".new")).state == .good)
        #expect(Doctor.database(.sqlite(path: "/nowhere/at/all.sqlite")).state == .bad)
    }

    @Test func `A master key is tried with the database that is there`() throws {
        let path = try file("this is a letter, not a database")
        defer { try? FileManager.default.removeItem(atPath: path) }
        func state(_ path: String) throws -> Finding.State {
            let values = try SettingValues(flags: [.databaseURL: "sqlite:\(path)"], environment: [:])
            return Doctor.masterKey(try ServerConfiguration(values)).state
        }
        #expect(try state(path) == .bad)
        #expect(try state(path + ".new") == .good)
    }
}

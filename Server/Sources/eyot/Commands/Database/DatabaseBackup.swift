import ArgumentParser
import EyotContract
import EyotServer
import Foundation

struct DatabaseBackup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database to a file while the server runs.",
        discussion: """
            The copy is the state of one moment, is checked before it gets its name, and can be read by this user \
            alone. A file that exists is not replaced. The copy holds tokens, contents and people in the clear, and \
            needs the master key to be restored. With - the copy goes to standard output.

            eyot database backup /var/backups/eyot/today.sqlite
            """)

    @Argument(help: "The file to create, or - for standard output.")
    var file: String

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let configuration = try settings.configuration()
        guard file == "-" else {
            let checked = try DatabaseFiles.backup(configuration, to: file)
            return Output.value(.object(checked.object(of: file)), asJSON: json)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("eyot.sqlite")
        _ = try DatabaseFiles.backup(configuration, to: copy.path)
        try Self.print(copy)
    }

    private static func print(_ file: URL) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        while let bytes = try handle.read(upToCount: 1 << 20), !bytes.isEmpty {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        }
    }
}

extension DatabaseFiles.Checked {
    func object(of file: String) -> JSONObject {
        var object = JSONObject([
            ("file", .string(file)), ("bytes", .integer(report.bytes)), ("schema", .integer(report.schema)),
        ])
        object["masterKeys"] = masterKeys.map { .array($0.sorted().map(JSONValue.string)) }
        if !report.remarks.isEmpty { object["remarks"] = .array(report.remarks.map(JSONValue.string)) }
        return object
    }
}

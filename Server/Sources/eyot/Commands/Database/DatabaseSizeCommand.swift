import ArgumentParser
import EyotContract
import EyotServer

struct DatabaseSizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "size", abstract: "List the tables of the database with their rows and bytes.",
        discussion: """
            Reads the whole file, also while the server runs. `freeBytes` hold nothing: new rows use them first.

            eyot database size
            """)

    @OptionGroup(visibility: .hidden) var settings: SettingOptions

    @Flag(help: "Print the result as a JSON object.")
    var json = false

    func run() async throws {
        let size = try DatabaseFiles.size(settings.configuration())
        let tables = size.tables.map { table in
            var object = JSONObject([("table", .string(table.name)), ("rows", .integer(table.rows))])
            object["bytes"] = table.bytes.map { .integer($0) }
            return JSONValue.object(object)
        }
        Output.list(
            .object(
                JSONObject([
                    ("fileBytes", .integer(size.fileBytes)), ("logBytes", .integer(size.logBytes)),
                    ("freeBytes", .integer(size.freeBytes)), ("tables", .array(tables)),
                ])), of: "tables", columns: ["table", "rows", "bytes"], asJSON: json)
        if !json { Output.err("\(size.fileBytes) bytes, of which \(size.freeBytes) are free; log \(size.logBytes)") }
    }
}

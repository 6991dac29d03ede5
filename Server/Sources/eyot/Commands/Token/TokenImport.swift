import ArgumentParser
import EyotCommands
import EyotContract
import EyotHTTP
import EyotLab
import EyotVendors
import Foundation

struct TokenImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import the tokens of another service.",
        discussion: """
            Each phone in the file becomes a device without a secret. Its start token moves to the device that its app \
            registers. Repeated lines change nothing. docs/reference/token-import.md lists the columns and the formats \
            of each vendor.

            eyot token import tokens.csv --format csv --dry-run
            """)

    /// The most lines of one request.
    private static let atOnce = 5_000
    /// The most errors that are printed.
    private static let shown = 10

    @Argument(help: "The file to import. - reads standard input.")
    var file: String

    @Option(help: "The format of the file: \(TokenFormat.names).")
    var format = TokenFormat.ndjson

    @Option(help: "The ActivityAttributes type of lines that name none, as in exports of vendors.")
    var type: String?

    @Option(help: "The environment of lines that name none, production or sandbox. (default: production)")
    var environment: String?

    @Flag(help: "Report the result of each line, and change nothing.")
    var dryRun = false

    @OptionGroup var server: ServerOptions

    func run() async throws {
        let data: Data
        do {
            data =
                try file == "-"
                ? FileHandle.standardInput.readToEnd() ?? Data() : Data(contentsOf: URL(fileURLWithPath: file))
        } catch {
            throw CommandFailure("\(file) cannot be read: \(error.localizedDescription)")
        }
        let defaults = [("type", type), ("environment", environment)].compactMap { name, value in
            value.map { (name, JSONValue.string($0)) }
        }
        let read = try format.lines(of: Array(data))
        let lines = read.filter { $0.refusal == nil }.map { $0.completed(by: defaults) }
        // What cannot be read is reported like what the server refuses.
        var errors: [JSONValue] = read.compactMap { line in
            line.refusal.map { ["line": .integer(line.number), "detail": .string($0)] }
        }
        var counts = ["failed": errors.count]
        for start in stride(from: 0, to: lines.count, by: Self.atOnce) {
            let piece = Array(lines[start..<min(start + Self.atOnce, lines.count)])
            let answer = try await send(piece)
            for name in ["imported", "unchanged", "registered", "failed"] {
                counts[name, default: 0] += answer.object?[name]?.integer ?? 0
            }
            errors += (answer.object?["errors"]?.array ?? []).map { Self.placed($0, in: piece) }
        }
        func line(_ error: JSONValue) -> Int { error.object?["line"]?.integer ?? 0 }
        try report(counts, errors.sorted { line($0) < line($1) })
    }

    private func send(_ lines: [TokenFile.Line]) async throws -> JSONValue {
        let body = lines.flatMap { $0.json.utf8 + [UInt8(ascii: "\n")] }
        return try await server.call(
            "POST", "/v1/tokens/import" + (dryRun ? "?dryRun=true" : ""), lines: body)
    }

    /// Returns an error with the line number of the file instead of the request's.
    private static func placed(_ error: JSONValue, in piece: [TokenFile.Line]) -> JSONValue {
        guard var object = error.object, let number = object["line"]?.integer, piece.indices.contains(number - 1) else {
            return error
        }
        object["line"] = .integer(piece[number - 1].number)
        return .object(object)
    }

    private func report(_ counts: [String: Int], _ errors: [JSONValue]) throws {
        var object = JSONObject(
            ["imported", "unchanged", "registered", "failed"].map { ($0, .integer(counts[$0] ?? 0)) })
        if server.json { object["errors"] = .array(Array(errors.prefix(100))) }
        Output.value(.object(object), asJSON: server.json)
        guard let failed = counts["failed"], failed > 0 else { return }
        for error in errors.prefix(Self.shown) where !server.json {
            let (line, words) = (error.object?["line"]?.integer ?? 0, error.object?["detail"]?.string ?? "")
            Output.err("line \(line): \(words)")
        }
        throw CommandFailure("\(failed) lines were not taken")
    }
}

/// The form of a file of tokens: one of Eyot's own, or the export of another vendor.
struct TokenFormat: ExpressibleByArgument, Sendable {
    private static let own: [TokenFormat] = [
        TokenFormat(name: "csv") { try $0.rows(with: "installation") }, ndjson,
    ]
    static let ndjson = TokenFormat(name: "ndjson") { try $0.values() }
    private static let all =
        own + Vendors.all.compactMap { vendor in vendor.tokenFile.map { TokenFormat(name: vendor.name, read: $0) } }

    /// All names, for a sentence.
    static var names: String {
        let names = all.map(\.name)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    let name: String
    private let read: @Sendable (TokenFile) throws -> [TokenFile.Line]

    private init(name: String, read: @escaping @Sendable (TokenFile) throws -> [TokenFile.Line]) {
        self.name = name
        self.read = read
    }

    init?(argument: String) {
        guard let known = Self.all.first(where: { $0.name == argument }) else { return nil }
        self = known
    }

    var defaultValueDescription: String { name }
    static var allValueStrings: [String] { all.map(\.name) }

    /// - Throws: ``CommandFailure`` if the file cannot be read.
    func lines(of bytes: [UInt8]) throws -> [TokenFile.Line] {
        do {
            return try read(TokenFile(bytes))
        } catch let failure as TokenFile.Failure {
            throw CommandFailure("\(failure)")
        }
    }
}

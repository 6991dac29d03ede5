import EyotContract
import Foundation

/// A file of tokens, as lines for the server.
struct TokenFile {
    enum Format: String, CaseIterable {
        case csv, ndjson, braze, airship
    }

    /// An object for the server, with its line number in the file.
    struct Line: Equatable {
        var number: Int
        var json: JSONValue

        /// Adds members that the line itself does not have.
        func completed(by defaults: [(String, JSONValue)]) -> Line {
            guard var object = json.object else { return self }
            for (name, value) in defaults where object[name] == nil { object[name] = value }
            return Line(number: number, json: .object(object))
        }
    }

    let lines: [Line]

    /// - Throws: ``CommandFailure`` if the file cannot be read.
    init(_ bytes: [UInt8], _ format: Format) throws {
        switch format {
        case .csv: lines = try Self.rows(bytes)
        case .ndjson: lines = try Self.values(bytes)
        case .braze:
            let isJSON = bytes.first { $0 > UInt8(ascii: " ") } == UInt8(ascii: "{")
            lines = try BrazeTokens(isJSON ? Self.values(bytes) : Self.rows(bytes)).lines
        case .airship: lines = try AirshipTokenList(Self.values(bytes)).lines
        }
    }

    /// Reads one JSON value a line.
    private static func values(_ bytes: [UInt8]) throws -> [Line] {
        var lines: [Line] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { $0 > UInt8(ascii: " ") }) {
            do throws(JSONSyntaxError) {
                lines.append(Line(number: index + 1, json: try JSONValue(parsing: Array(line))))
            } catch {
                throw CommandFailure("line \(index + 1) is not JSON: \(error)")
            }
        }
        return lines
    }

    /// Reads rows under a head of names. Empty cells are left out.
    private static func rows(_ bytes: [UInt8]) throws -> [Line] {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw CommandFailure("the file is not UTF-8") }
        var rows = try CSVRows(text).rows[...]
        guard let head = rows.popFirst() else { return [] }
        return try rows.map { row in
            guard row.cells.count == head.cells.count else {
                throw CommandFailure("line \(row.line) has \(row.cells.count) cells, and the head \(head.cells.count)")
            }
            let members = zip(head.cells, row.cells).filter { !$1.isEmpty }.map { ($0, JSONValue.string($1)) }
            return Line(number: row.line, json: .object(JSONObject(members)))
        }
    }
}

/// Comma-separated values. A quoted cell may contain commas, line breaks and doubled quotes.
struct CSVRows {
    struct Row: Equatable {
        /// The line in which the row begins.
        var line: Int
        var cells: [String]
    }

    private(set) var rows: [Row] = []

    /// - Throws: ``CommandFailure`` if a quote is not closed.
    init(_ text: String) throws {
        var row = Row(line: 1, cells: [])
        var cell = ""
        var (line, isQuoted, wasQuoted) = (1, false, false)
        func isEmpty() -> Bool { row.cells.isEmpty && cell.isEmpty && !wasQuoted }
        var rest = Substring(text).unicodeScalars
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        while let scalar = rest.popFirst() {
            if scalar == "\n" { line += 1 }
            switch scalar {
            case "\"" where isQuoted && rest.first == "\"":
                cell.unicodeScalars.append(rest.removeFirst())
            case "\"" where isQuoted || cell.isEmpty:
                (isQuoted, wasQuoted) = (!isQuoted, true)
            case "," where !isQuoted:
                row.cells.append(cell)
                (cell, wasQuoted) = ("", false)
            case "\r" where !isQuoted && rest.first == "\n": break
            case "\n" where !isQuoted:
                if !isEmpty() { rows.append(Row(line: row.line, cells: row.cells + [cell])) }
                (row, cell, wasQuoted) = (Row(line: line, cells: []), "", false)
            default: cell.unicodeScalars.append(scalar)
            }
        }
        guard !isQuoted else { throw CommandFailure("the quote in the row of line \(row.line) is not closed") }
        if !isEmpty() { rows.append(Row(line: row.line, cells: row.cells + [cell])) }
    }
}

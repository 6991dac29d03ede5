import EyotContract

/// A file of tokens that another service has exported, to be read as lines for the server.
package struct TokenFile: Sendable {
    /// An object for the server, with its line number in the file.
    package struct Line: Sendable, Equatable {
        package var number: Int
        package var json: JSONValue
        /// Why the line cannot be sent, as a sentence; nil if it can.
        package var refusal: String?

        package init(number: Int, json: JSONValue) {
            self.number = number
            self.json = json
        }

        /// The same line as one that cannot be sent.
        package func refused(_ reason: String) -> Line {
            var line = self
            line.refusal = reason
            return line
        }

        /// Adds members that the line itself does not have.
        package func completed(by defaults: [(String, JSONValue)]) -> Line {
            guard var object = json.object else { return self }
            for (name, value) in defaults where object[name] == nil { object[name] = value }
            return Line(number: number, json: .object(object))
        }
    }

    /// The reason that a file cannot be read, as a sentence.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    private let bytes: [UInt8]

    /// - Throws: ``Failure`` for a form of files that is neither CSV nor JSON.
    package init(_ bytes: [UInt8]) throws {
        for (beginning, name, remedy) in Self.otherForms where bytes.starts(with: beginning) {
            throw Failure("the file is \(name), which is not read: \(remedy)")
        }
        self.bytes = bytes
    }

    /// Forms that exports come in, by their first bytes.
    private static let otherForms: [([UInt8], name: String, remedy: String)] = [
        (Array("Obj\u{1}".utf8), "Avro", "make lines of JSON of it, as `avro-tools tojson` does"),
        (Array("PAR1".utf8), "Parquet", "make lines of JSON or CSV of it"),
        ([0x1F, 0x8B], "compressed by gzip", "decompress it with `gunzip`"),
        ([0x28, 0xB5, 0x2F, 0xFD], "compressed by zstd", "decompress it with `unzstd`"),
        (Array("PK\u{3}\u{4}".utf8), "a ZIP archive or a workbook", "unpack it, or export it as CSV"),
        ([0xFF, 0xFE], "UTF-16", "export it as UTF-8"), ([0xFE, 0xFF], "UTF-16", "export it as UTF-8"),
    ]

    /// Whether it begins with an object or a list.
    package var isJSON: Bool { [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(firstByte) }

    private var firstByte: UInt8? { bytes.first { $0 > UInt8(ascii: " ") } }

    /// Reads one JSON value a line, or the elements of one list, which count as lines.
    ///
    /// - Throws: ``Failure``.
    package func values() throws -> [Line] {
        if firstByte == UInt8(ascii: "["), let list = (try? JSONValue(parsing: bytes))?.array {
            return list.enumerated().map { Line(number: $0 + 1, json: $1) }
        }
        var lines: [Line] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        where line.contains(where: { $0 > UInt8(ascii: " ") }) {
            do throws(JSONSyntaxError) {
                lines.append(Line(number: index + 1, json: try JSONValue(parsing: Array(line))))
            } catch {
                throw Failure("line \(index + 1) is not JSON: \(error)")
            }
        }
        return lines
    }

    /// Reads rows under a head of names. Empty cells are left out.
    ///
    /// - Parameter needed: A name that the head must have; nil if any will do.
    /// - Throws: ``Failure``.
    package func rows(with needed: String? = nil) throws -> [Line] {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("the file is not UTF-8") }
        var rows = try CSVRows(text).rows[...]
        guard let head = rows.popFirst() else { return [] }
        if head.cells.count == 1, let other = head.cells[0].first(where: { ";\t|".contains($0) }) {
            let name = other == "\t" ? "tabs" : "\(other)"
            throw Failure("the first row has \(name) between its names: separate the columns by commas")
        }
        if let needed, !head.cells.contains(needed) {
            let names = head.cells.prefix(20).joined(separator: ", ")
            throw Failure("the first row has no column \(needed), in these letters. It has \(names)")
        }
        return try rows.map { row in
            guard row.cells.count == head.cells.count else {
                throw Failure("line \(row.line) has \(row.cells.count) cells, and the head \(head.cells.count)")
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

    /// - Throws: ``TokenFile/Failure`` if a quote is not closed.
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
        guard !isQuoted else { throw TokenFile.Failure("the quote in the row of line \(row.line) is not closed") }
        if !isEmpty() { rows.append(Row(line: row.line, cells: row.cells + [cell])) }
    }
}

import EyotContract

/// Reports as a table for spreadsheets: a line for each number.
package struct ReportTable {
    private static let columns = "name,generation,at,seconds,number,value"

    private var lines: [String]

    /// - Parameter reports: Reports as callers see them in JSON.
    package init(_ reports: [JSONValue]) {
        lines = [Self.columns]
        for report in reports.compactMap(\.object) {
            let subject = "\(Self.cell(report["name"]?.string ?? "")),\(report["generation"]?.integer ?? 0)"
            for member in report.members where !Self.headings.contains(member.name) {
                add(member.value, named: member.name, to: "\(subject),,")
            }
            for entry in (report["series"]?.array ?? []).compactMap(\.object) {
                let place = "\(subject),\(entry["at"]?.string ?? ""),\(entry["seconds"]?.integer ?? 0)"
                for member in entry.members where member.name != "at" && member.name != "seconds" {
                    add(member.value, named: member.name, to: place)
                }
            }
        }
    }

    /// A table of one answer with entries over time.
    ///
    /// - Parameters:
    ///   - answer: The answer as callers see it in JSON.
    ///   - entries: The member with the entries.
    package init(_ answer: JSONValue, over entries: String) {
        lines = ["at,seconds,number,value"]
        guard let answer = answer.object else { return }
        for member in answer.members where member.value.object != nil {
            add(member.value, named: member.name, to: ",")
        }
        for entry in (answer[entries]?.array ?? []).compactMap(\.object) {
            let place = "\(entry["at"]?.string ?? ""),\(entry["seconds"]?.integer ?? 0)"
            for member in entry.members where member.name != "at" && member.name != "seconds" {
                add(member.value, named: member.name, to: place)
            }
        }
    }

    /// A table with columns of its own.
    package init(columns: [String], rows: [[String]]) {
        lines = ([columns] + rows).map { $0.map(Self.cell).joined(separator: ",") }
    }

    /// Members that name the report, or are added in their own way.
    private static let headings: Set = [
        "name", "generation", "type", "state", "createdAt", "endedAt", "keptSince", "series", "comparison",
    ]

    package var text: String { lines.map { $0 + "\r\n" }.joined() }

    private mutating func add(_ value: JSONValue, named name: String, to place: String) {
        if let object = value.object {
            for member in object.members { add(member.value, named: "\(name).\(member.name)", to: place) }
        } else if value != .null {
            lines.append("\(place),\(Self.cell(name)),\(value.text)")
        }
    }

    /// A cell with quotation marks where they are needed. A spreadsheet would calculate a text that begins like a
    /// formula, and phones send some of the texts.
    static func cell(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        guard safe.contains(where: { ",\"\r\n".contains($0) || $0 == "\r\n" }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}

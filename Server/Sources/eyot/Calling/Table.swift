import EyotContract

/// Objects as lines of text, with a column for each chosen member.
struct Table {
    /// Longer texts are cut, so that each row stays on one line.
    static let cellLimit = 60
    /// A column is not made narrower than this.
    private static let leastWidth = 8

    let lines: [String]
    /// Whether a cell was cut, or a column left out, because the table is wider than its place.
    let isCut: Bool

    /// - Parameter columns: paths into each row, for example `stateAge.now.behind`. The last part becomes the heading.
    ///   A different heading can stand before the path, as in `death=death.reason`.
    ///   - width: The columns of the terminal that the table has to fit; nil for any width.
    init(columns: [String], rows: [JSONValue], width: Int? = nil) {
        let heading = columns.map { column in
            Self.heading(String(column.split(separator: "=")[0].split(separator: ".").last ?? ""))
        }
        let columns = columns.map { String($0.split(separator: "=").last ?? "") }
        let cells = [heading] + rows.map { row in columns.map { Self.text(of: Self.value(at: $0, in: row)) } }
        let natural = columns.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let widths = width.map { Self.fit(natural, in: $0) } ?? natural
        isCut = widths != natural
        lines = cells.map { row in
            zip(row, widths).map { $0.cut(to: $1).padding(to: $1) }.joined(separator: "  ").trimmingTrailingSpaces
        }
    }

    /// Returns widths of columns that fit a terminal. The widest column is made narrower first. If all are as narrow as
    /// they may be, the last columns are left out.
    private static func fit(_ natural: [Int], in width: Int) -> [Int] {
        var widths = natural
        while widths.reduce(-2, { $0 + $1 + 2 }) > width, let most = widths.max() {
            if most > leastWidth, let widest = widths.lastIndex(of: most) {
                widths[widest] -= 1
            } else if widths.count > 1 {
                widths.removeLast()
            } else {
                break
            }
        }
        return widths
    }

    private static func value(at path: String, in row: JSONValue) -> JSONValue {
        path.split(separator: ".").reduce(row) { $0.object?[String($1)] ?? .null }
    }

    /// Returns a member's name as a heading: `osVersion` as `OS VERSION`, `bundleID` as `BUNDLE ID`.
    private static func heading(_ name: String) -> String {
        var wasLower = false
        return name.reduce(into: "") { text, letter in
            if letter.isUppercase, wasLower { text += " " }
            text += letter.uppercased()
            wasLower = !letter.isUppercase
        }
    }

    /// Returns the counts that are not 0, each with its name; nil if a member is not a number.
    private static func counts(_ object: JSONObject) -> String? {
        let numbers = object.members.map { member in (member.name, member.value.double) }
        guard numbers.allSatisfy({ $0.1 != nil }) else { return nil }
        let counted = zip(object.members, numbers).filter { $0.1.1 != 0 }
        return counted.isEmpty ? "-" : counted.map { "\($0.0.name) \($0.0.value.text)" }.joined(separator: ", ")
    }

    /// Returns a member's value as in a cell, but uncut. Counts get their names, and content of cards stays JSON.
    static func text(of member: JSONObject.Member) -> String {
        let isContent = ["contentState", "attributes"].contains(member.name)
        if !isContent, let object = member.value.object, let counts = counts(object) { return counts }
        return text(of: member.value, limit: .max)
    }

    /// Returns a value as the text of a cell: a text as it is, nothing as a dash, other values as JSON.
    static func text(of value: JSONValue, limit: Int = cellLimit) -> String {
        let text =
            switch value {
            case .null: "-"
            case .string(let string): string
            case .bool(let bool): bool ? "yes" : "no"
            case .array(let elements) where elements.allSatisfy { $0.string != nil }:
                elements.isEmpty ? "-" : elements.compactMap(\.string).joined(separator: ", ")
            default: value.text
            }
        return text.cut(to: limit)
    }
}

extension String {
    /// Appends spaces up to a width.
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// Prepends spaces up to a width.
    func leftPadding(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

    /// Cuts a text that is longer than a width, and marks the cut.
    func cut(to width: Int) -> String { count > width ? prefix(max(0, width - 1)) + "…" : self }

    fileprivate var trimmingTrailingSpaces: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

import EyotContract
import Foundation

/// The matches that come with the demo.
enum MatchFile {
    static let years = ["2022", "2026"]
    /// The files, which are part of the executable.
    private static let files = [
        "2022": PackageResources.worldcup_2022_json, "2026": PackageResources.worldcup_2026_json,
    ]
    /// The final that the demo plays by default.
    static let defaultMatch = "2022/Argentina-France"

    /// Returns all matches of a year's file.
    static func matches(of year: String) throws -> [Match] {
        guard let file = files[year] else { throw CommandFailure("there is no file of the World Cup \(year)") }
        var fields = try JSONFields(JSONValue(parsing: file))
        let elements = try fields.required("matches", fields.array("matches"))
        return try elements.enumerated().map { try Match(json: $1, number: $0 + 1) }
    }

    /// Finds a match by its two teams, such as `Argentina-France`, or by its number in the file. A year and a slash
    /// before it choose the World Cup. Without them 2022 is searched first.
    static func match(_ text: String) throws -> Match {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        let isYear = parts.count == 2 && years.contains(parts[0])
        let wanted = isYear ? parts[1] : text
        for year in isYear ? [parts[0]] : years {
            let matches = try matches(of: year)
            if let match = matches.first(where: { Self.isMeant($0, by: wanted) }) { return match }
        }
        throw CommandFailure(
            "there is no match \(text); write two teams such as \(defaultMatch), or a number such as 2026/104")
    }

    private static func isMeant(_ match: Match, by text: String) -> Bool {
        if let number = Int(text) { return match.number == number }
        return "\(match.home)-\(match.away)".lowercased() == text.lowercased()
    }
}

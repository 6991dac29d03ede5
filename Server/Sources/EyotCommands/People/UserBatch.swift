import EyotContract
import EyotDomain

/// What a request says of very many users: those that can be read, and what is wrong with the others.
package struct UserBatch: Sendable {
    /// Users of one request.
    package static let limit = 20_000
    /// Users of one request that has a line for each.
    package static let lineLimit = 100_000
    /// Errors that are told; further ones are counted.
    package static let errorLimit = 100
    /// Bytes of a request.
    package static let bodyBytes = 16 * 1_024 * 1_024
    /// Users of one transaction, and tags and attributes in it: about what one of 10 ms writes.
    package static let usersAtOnce = 50
    static let wordsAtOnce = 500

    /// What is wrong with one of them.
    package struct Failure: Sendable {
        /// The line, or the place in the array, from 1 on.
        package var line: Int
        package var user: String?
        package var error: EyotError
    }

    /// A change with its line.
    package struct Line: Sendable {
        var number: Int
        var change: UserChange
    }

    private(set) package var lines: [Line] = []
    private(set) package var failures: [Failure] = []
    private(set) package var failed = 0
    private var refused = 0

    /// Reads `{"users": […]}`.
    package init(json: JSONValue) throws(EyotError) {
        let users: [JSONValue]
        do throws(JSONFieldError) {
            var fields = try JSONFields(json)
            users = try fields.required("users", fields.array("users"))
            try fields.finish()
        } catch {
            throw EyotError(error)
        }
        guard users.count <= Self.limit else { throw Self.tooMany }
        for (index, user) in users.enumerated() { read(user, line: index + 1) }
    }

    /// Reads a user a line. Empty lines are passed over.
    package init(lines bytes: [UInt8]) throws(EyotError) {
        var count = 0
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
            count += 1
            guard count <= Self.lineLimit else { throw Self.tooMany }
            do throws(JSONSyntaxError) {
                read(try JSONValue(parsing: Array(line)), line: index + 1)
            } catch {
                note(EyotError(.jsonInvalid, "the line is not JSON that we take: \(error)"), line: index + 1)
            }
        }
    }

    private static let tooMany = EyotError(
        .fieldInvalid, "users may have at most \(limit) elements, and \(lineLimit) as lines", field: "users")

    private mutating func read(_ user: JSONValue, line: Int) {
        let id = user.object?["id"]?.string
        do throws(JSONFieldError) {
            var fields = try JSONFields(user)
            let id = try fields.identifier("id")
            let change = try UserChange(id, fields: &fields, .merge)
            try fields.finish()
            lines.append(Line(number: line, change: change))
        } catch {
            note(EyotError(error), line: line, of: id)
        }
    }

    private mutating func note(_ error: EyotError, line: Int, of user: String? = nil) {
        failed += 1
        if failures.count < Self.errorLimit { failures.append(Failure(line: line, user: user, error: error)) }
    }

    /// The lines in parts, each for a transaction.
    package var parts: [ArraySlice<Line>] {
        var parts: [ArraySlice<Line>] = []
        var (first, words) = (lines.startIndex, 0)
        for index in lines.indices {
            words += lines[index].change.words
            guard index + 1 - first == Self.usersAtOnce || words >= Self.wordsAtOnce || index + 1 == lines.endIndex
            else {
                continue
            }
            parts.append(lines[first...index])
            (first, words) = (index + 1, 0)
        }
        return parts
    }

    /// Says what is known of the users of a part. One transaction, which those that cannot be taken do not undo.
    package static func apply(_ part: ArraySlice<Line>, to ledger: any Ledger, app: AppID) throws -> [Failure] {
        let change = ChangeUser(ledger: ledger, app: app)
        return try part.compactMap { line in
            do {
                _ = try change(line.change)
                return nil
            } catch let error as EyotError {
                return Failure(line: line.number, user: line.change.externalID, error: error)
            }
        }
    }

    /// Takes in what came of a part.
    package mutating func note(_ more: [Failure]) {
        failed += more.count
        refused += more.count
        failures = Array((failures + more).prefix(Self.errorLimit))
    }

    /// How many were taken, once every part is done.
    package var applied: Int { lines.count - refused }
}

extension UserChange {
    /// About how much is written for it.
    fileprivate var words: Int {
        let tags: [TraitsChange.Tags?] = [traits.tags] + (traits.groups.map { Array($0.values) } ?? [])
        let values = traits.attributes?.values.map { value in
            if case .texts(let texts)? = value { texts.count + 1 } else { 1 }
        }
        return 1 + tags.reduce(0) { $0 + ($1?.count ?? 0) } + (values ?? []).reduce(0, +) + (aliases?.count ?? 0)
    }
}

extension TraitsChange.Tags {
    fileprivate var count: Int {
        switch self {
        case .all(let tags): tags.count
        case .some(let added, let removed): added.count + removed.count
        }
    }
}

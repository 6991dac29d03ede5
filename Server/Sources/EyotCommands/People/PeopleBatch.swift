import EyotContract
import EyotDomain

/// A request that changes very many users or devices: the changes that can be read, and the errors of the others.
package struct PeopleBatch: Sendable {
    /// The kind of its members. The raw value is the member of the body.
    package enum Subject: String, Sendable {
        case users, devices
    }

    /// Most users or devices of one request.
    package static let limit = 20_000
    /// Most users or devices of one request that has a line for each.
    package static let lineLimit = 100_000
    /// Most errors that are listed. Further errors are counted.
    package static let errorLimit = 100
    /// Most bytes of a request.
    package static let bodyBytes = 16 * 1_024 * 1_024
    /// Users or devices of one transaction, and their tags and attributes. A transaction of 10 ms writes about that
    /// many.
    package static let membersAtOnce = 50
    static let wordsAtOnce = 500

    /// The error of one user or device.
    package struct Failure: Sendable {
        /// The line, or the position in the array, counted from 1.
        package var line: Int
        package var id: String?
        package var error: EyotError
    }

    /// A change with its line.
    package struct Line: Sendable {
        var number: Int
        var change: Change
    }

    enum Change: Sendable {
        case user(UserChange)
        case device(DeviceID, TraitsChange)
    }

    private let subject: Subject
    private(set) package var lines: [Line] = []
    private(set) package var failures: [Failure] = []
    private(set) package var failed = 0
    private var refused = 0

    /// Reads `{"users": […]}` or `{"devices": […]}`.
    package init(of subject: Subject, json: JSONValue) throws(EyotError) {
        self.subject = subject
        let members: [JSONValue]
        do throws(JSONFieldError) {
            var fields = try JSONFields(json)
            members = try fields.required(subject.rawValue, fields.array(subject.rawValue))
            try fields.finish()
        } catch {
            throw EyotError(error)
        }
        guard members.count <= Self.limit else { throw tooMany }
        for (index, member) in members.enumerated() { read(member, line: index + 1) }
    }

    /// Reads a user or a device from each line. Empty lines are skipped.
    package init(of subject: Subject, lines bytes: [UInt8]) throws(EyotError) {
        self.subject = subject
        var count = 0
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
            count += 1
            guard count <= Self.lineLimit else { throw tooMany }
            do throws(EyotError) {
                read(try ReceivedJSON.value(Array(line), of: "the line"), line: index + 1)
            } catch {
                note(error, line: index + 1)
            }
        }
    }

    private var tooMany: EyotError {
        EyotError(
            .fieldInvalid,
            "\(subject.rawValue) must have at most \(Self.limit) elements, or \(Self.lineLimit) lines",
            field: subject.rawValue)
    }

    private mutating func read(_ member: JSONValue, line: Int) {
        let id = member.object?["id"]?.string
        do throws(JSONFieldError) {
            var fields = try JSONFields(member)
            let id = try fields.identifier("id")
            let change = try change(of: id, &fields)
            try fields.finish()
            lines.append(Line(number: line, change: change))
        } catch {
            note(EyotError(error), line: line, of: id)
        }
    }

    private func change(of id: String, _ fields: inout JSONFields) throws(JSONFieldError) -> Change {
        switch subject {
        case .users: return .user(try UserChange(id, fields: &fields, .merge))
        case .devices:
            guard let number = Int64(id), String(number) == id else {
                throw fields.invalid("id", "must be the id of a device")
            }
            return .device(DeviceID(rawValue: number), try TraitsChange(fields: &fields, .merge))
        }
    }

    private mutating func note(_ error: EyotError, line: Int, of id: String? = nil) {
        failed += 1
        if failures.count < Self.errorLimit { failures.append(Failure(line: line, id: id, error: error)) }
    }

    /// The lines in parts of one transaction each.
    package var parts: [ArraySlice<Line>] {
        var parts: [ArraySlice<Line>] = []
        var (first, words) = (lines.startIndex, 0)
        for index in lines.indices {
            words += lines[index].change.words
            guard index + 1 - first == Self.membersAtOnce || words >= Self.wordsAtOnce || index + 1 == lines.endIndex
            else {
                continue
            }
            parts.append(lines[first...index])
            (first, words) = (index + 1, 0)
        }
        return parts
    }

    /// Applies a part. One transaction, which changes that fail do not undo.
    package static func apply(_ part: ArraySlice<Line>, to ledger: any Ledger, app: AppID) throws -> [Failure] {
        try part.compactMap { line in
            do {
                try line.change.apply(to: ledger, app)
                return nil
            } catch let error as EyotError {
                return Failure(line: line.number, id: line.change.id, error: error)
            }
        }
    }

    /// Records the errors of a part.
    package mutating func note(_ more: [Failure]) {
        failed += more.count
        refused += more.count
        failures = Array((failures + more).prefix(Self.errorLimit))
    }

    /// Records lines that were not reached.
    package mutating func note(_ error: EyotError, of lines: some Sequence<Line>) {
        note(lines.map { Failure(line: $0.number, id: $0.change.id, error: error) })
    }

    /// How many changes were applied, once every part is done.
    package var applied: Int { lines.count - refused }
}

extension PeopleBatch.Change {
    fileprivate var id: String {
        switch self {
        case .user(let change): change.externalID
        case .device(let id, _): String(id.rawValue)
        }
    }

    /// About how many values are written for it.
    fileprivate var words: Int {
        switch self {
        case .user(let change): change.traits.words + (change.aliases?.count ?? 0)
        case .device(_, let change): change.words
        }
    }

    fileprivate func apply(to ledger: any Ledger, _ app: AppID) throws {
        switch self {
        case .user(let change): _ = try ChangeUser(ledger: ledger, app: app)(change)
        case .device(let id, let change):
            try ChangeDevice(ledger: ledger)(Device.known(id, of: app, in: ledger), change)
        }
    }
}

extension TraitsChange {
    fileprivate var words: Int {
        let tags: [Tags?] = [tags] + (groups.map { Array($0.values) } ?? [])
        let values = attributes?.values.map { value in
            if case .texts(let texts)? = value { texts.count + 1 } else { 1 }
        }
        return 1 + tags.reduce(0) { $0 + ($1?.count ?? 0) } + (values ?? []).reduce(0, +)
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

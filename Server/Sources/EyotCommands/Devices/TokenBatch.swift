import EyotContract
import EyotDomain

/// The lines of one import request: those that can be read, and the errors of the others.
package struct TokenBatch: Sendable {
    /// Most lines of one request.
    package static let limit = 20_000
    /// Most errors that are listed. Further errors are counted.
    package static let errorLimit = 100
    /// Most bytes of a request.
    package static let bodyBytes = 16 * 1_024 * 1_024
    /// Lines of one transaction.
    private static let atOnce = 25

    /// The error of one line.
    package struct Failure: Sendable {
        /// Counted from 1.
        package var line: Int
        package var error: EyotError
    }

    /// The result of a line that could be read.
    package struct Outcome: Sendable {
        var line: Int
        var result: Result<ImportTokens.Outcome, EyotError>
    }

    /// A line that can be read.
    package struct Line: Sendable {
        var number: Int
        var line: TokenLine
    }

    private(set) package var lines: [Line] = []
    private(set) package var failures: [Failure] = []
    private(set) package var failed = 0
    private(set) package var counts: [ImportTokens.Outcome: Int] = [:]

    /// Reads the lines of a request. Empty lines are skipped.
    package init(_ bytes: [UInt8]) throws(EyotError) {
        var count = 0
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { continue }
            count += 1
            guard count <= Self.limit else {
                throw EyotError(.bodyTooLarge, "a request has at most \(Self.limit) lines")
            }
            do throws(EyotError) {
                lines.append(Line(number: index + 1, line: try Self.line(Array(line))))
            } catch {
                note(Failure(line: index + 1, error: error))
            }
        }
    }

    private static func line(_ bytes: [UInt8]) throws(EyotError) -> TokenLine {
        let json = try ReceivedJSON.value(bytes, of: "the line")
        do throws(JSONFieldError) {
            return try TokenLine(json: json)
        } catch {
            throw EyotError(error)
        }
    }

    private mutating func note(_ failure: Failure) {
        failed += 1
        if failures.count < Self.errorLimit { failures.append(failure) }
    }

    /// The lines in parts of one transaction each.
    package var parts: [ArraySlice<Line>] {
        stride(from: 0, to: lines.count, by: Self.atOnce).map { lines[$0..<min($0 + Self.atOnce, lines.count)] }
    }

    /// Imports a part. One transaction, which lines that fail do not undo.
    package static func apply(
        _ part: ArraySlice<Line>, to ledger: any Ledger, app: AppID, at now: Instant
    ) throws -> [Outcome] {
        let take = ImportTokens(Transaction(ledger, at: now), app: app)
        return try part.map { line in
            do {
                return Outcome(line: line.number, result: .success(try take(line.line)))
            } catch let error as EyotError {
                return Outcome(line: line.number, result: .failure(error))
            }
        }
    }

    /// Records lines that were not reached.
    package mutating func note(_ error: EyotError, of lines: some Sequence<Line>) {
        for line in lines { note(Failure(line: line.number, error: error)) }
    }

    /// Records the results of a part.
    package mutating func note(_ results: [Outcome]) {
        for outcome in results {
            switch outcome.result {
            case .success(let outcome): counts[outcome, default: 0] += 1
            case .failure(let error): note(Failure(line: outcome.line, error: error))
            }
        }
    }
}

import EyotContract
import EyotDomain

/// Very many lines of an import: those that can be read, and what is wrong with the others.
package struct TokenBatch: Sendable {
    /// Lines of one request.
    package static let limit = 20_000
    /// Errors that are told; further ones are counted.
    package static let errorLimit = 100
    /// Bytes of a request.
    package static let bodyBytes = 16 * 1_024 * 1_024
    /// Lines of one transaction.
    private static let atOnce = 25

    /// What is wrong with one of them.
    package struct Failure: Sendable {
        /// From 1 on.
        package var line: Int
        package var error: EyotError
    }

    /// What became of one that could be read.
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

    /// Empty lines are passed over.
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

    /// The lines in parts, each for a transaction.
    package var parts: [ArraySlice<Line>] {
        stride(from: 0, to: lines.count, by: Self.atOnce).map { lines[$0..<min($0 + Self.atOnce, lines.count)] }
    }

    /// Takes a part in. One transaction, which lines that cannot be taken do not undo.
    package static func apply(
        _ part: ArraySlice<Line>, to ledger: any Ledger, app: AppID, at now: Instant
    ) throws -> [Outcome] {
        let take = ImportTokens(ledger: ledger, app: app, now: now)
        return try part.map { line in
            do {
                return Outcome(line: line.number, result: .success(try take(line.line)))
            } catch let error as EyotError {
                return Outcome(line: line.number, result: .failure(error))
            }
        }
    }

    /// Takes in what came of a part.
    package mutating func note(_ results: [Outcome]) {
        for outcome in results {
            switch outcome.result {
            case .success(let outcome): counts[outcome, default: 0] += 1
            case .failure(let error): note(Failure(line: outcome.line, error: error))
            }
        }
    }
}

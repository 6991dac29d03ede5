import EyotCommands
import EyotDomain

/// One element of a call's array.
struct CallElement: Sendable {
    var index: Int
    var names: MemberNames

    /// Returns the error with the element's place in the array.
    fileprivate func naming(_ error: EyotError) -> EyotError {
        var named = error
        let (place, words) = ("[\(index)]", names.words(of: error))
        let field = names.field(of: error)
        named.isInCallersWords = true
        // An error that already has its place was found while the array was read.
        guard field?.hasPrefix("[") != true else { return error }
        named.field = field.map { "\(place).\($0)" } ?? place
        let namesField = field.map(words.hasPrefix) ?? false
        named.detail = namesField ? "\(place).\(words)" : "\(place): \(words)"
        return named
    }

    fileprivate func naming(_ error: any Error) -> any Error {
        switch error {
        case let error as EyotError: return naming(error)
        case var doubt as SchemaDoubt:
            doubt.mismatch = naming(doubt.mismatch)
            return doubt
        default: return error
        }
    }
}

extension CallElement? {
    /// Runs work for the element, and adds its place to errors.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw self.map { $0.naming(error) } ?? error }
    }

    /// The same for asynchronous work.
    func awaiting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw self.map { $0.naming(error) } ?? error }
    }
}

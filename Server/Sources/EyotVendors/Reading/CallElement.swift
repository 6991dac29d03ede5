import EyotCommands
import EyotDomain

/// One of several things that a call's array asks for.
struct CallElement: Sendable {
    var index: Int
    var names: MemberNames

    /// What is wrong with it, with its place in the array.
    fileprivate func naming(_ error: EyotError) -> EyotError {
        var named = error
        let (place, words) = ("[\(index)]", names.words(of: error))
        let field = names.field(of: error)
        named.isInCallersWords = true
        // What says already where it stands has been read from the array.
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
    /// Does something for it: what fails says which of the call's it is.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw self.map { $0.naming(error) } ?? error }
    }

    /// The same, for what has to be waited for.
    func awaiting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch { throw self.map { $0.naming(error) } ?? error }
    }
}

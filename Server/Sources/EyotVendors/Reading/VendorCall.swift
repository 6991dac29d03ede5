import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

extension Call {
    /// Reads the body's members.
    func read<Result>(_ read: (inout JSONFields) throws(JSONFieldError) -> Result) throws -> Result {
        let json = try json()
        do throws(JSONFieldError) {
            var fields = try JSONFields(json)
            return try read(&fields)
        } catch {
            throw EyotError(error)
        }
    }
}

/// What a caller wrote, as we take it, and what should be said of it though nothing is wrong.
struct VendorDeclaration {
    var body: DeclarationBody
    var warnings: [String] = []

    init(_ verb: DeclarationRequest.Verb, _ name: String) {
        body = DeclarationBody(verb: verb, name: name)
        // As theirs: whoever has the app may call a card so, be it after others have.
        body.isPublicUnlessSaid = true
    }

    /// Says that members are not acted on.
    mutating func ignore(_ paths: [String]) { warnings += paths.map(Self.ignored) }

    static func ignored(_ path: String) -> String { "\(path) is not acted on" }
}

/// What came of a call.
struct VendorDeclared: Sendable {
    /// Nil where there was nothing to declare it on.
    var operation: Operation?
    var warnings: [String]
    /// Why there was nothing.
    var absence: String?
}

extension VendorDeclaration {
    /// Judges it, finds whom it concerns, and says how it is made in the call's transaction.
    ///
    /// What is said of an activity that nobody knows, or that has ended, is no error to most vendors: nobody is there to see it.
    func prepare(
        _ backend: Backend, _ call: Call
    ) async throws -> @Sendable (any Ledger) throws -> VendorDeclared {
        try body.check()
        let declare = try await backend.prepare(body, of: call.app.id, call)
        let warnings = warnings
        return { ledger in
            do {
                return VendorDeclared(operation: try declare(ledger), warnings: warnings)
            } catch let error as EyotError where [.activityUnknown, .activityEnded].contains(error.code) {
                return VendorDeclared(operation: nil, warnings: warnings, absence: error.detail)
            }
        }
    }
}

extension Answer {
    /// Names the operation, so that a caller can ask what became of it.
    mutating func name(_ operation: Operation?) { headers[.operation] = operation.map { String($0.id) } }
}

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
            throw EyotError(theirs: error)
        }
    }
}

/// What a caller wrote, as we take it, and what should be said of it though nothing is wrong.
struct VendorDeclaration {
    var body: DeclarationBody
    var warnings: [String] = []
    /// How its callers call our members.
    let names: MemberNames

    init(_ verb: DeclarationRequest.Verb, _ name: String, names: MemberNames) {
        self.names = names
        body = DeclarationBody(verb: verb, name: name)
        // As theirs: whoever has the app may call a card so, be it after others have.
        body.isPublicUnlessSaid = true
    }

    /// Says that members are not acted on.
    mutating func ignore(_ paths: [String]) { warnings += paths.map(Self.ignored) }

    /// Plans its end. A date by which no card is there, or that is too far away to be planned, is nothing to fail for.
    ///
    /// - Parameter dismissing: whether the card goes from the screen with it.
    mutating func plan(end: Instant?, called name: String, at now: Instant, dismissing: Bool = false) {
        guard let end else { return }
        if end > now, end <= now + DeclarationBody.planLead {
            body.endsAt = dismissing ? .dismissing(at: end) : .at(end)
        } else {
            warnings.append("\(name) has passed, or is more than 30 days ahead: nothing is planned")
        }
    }

    static func ignored(_ path: String) -> String { "\(path) is not acted on" }
}

/// What came of a call.
struct VendorDeclared: Sendable {
    /// Nil where there was nothing to declare it on.
    var operation: Operation?
    /// In the caller's words, those of the operation too.
    var warnings: [String]
    /// Why there was nothing.
    var absence: String?

    /// All that its caller should know though nothing is wrong.
    var remarks: [String] { warnings + [absence].compactMap(\.self) }
}

extension VendorDeclaration {
    /// Judges it, finds whom it concerns, and says how it is made in the call's transaction.
    ///
    /// What is said of an activity that nobody knows, or that has ended, is no error to most vendors: nobody is there to see it.
    ///
    /// - Parameters:
    ///   - isLater: whether others are declared before it in the same call.
    ///   - element: which of a call's it is, for errors; nil where it is the only one.
    func prepare(
        _ backend: Backend, _ call: Call, isLater: Bool = false, as element: CallElement? = nil
    ) async throws -> @Sendable (any Ledger) throws -> VendorDeclared {
        let declare = try await element.awaiting { try await prepare(backend, call, isLater: isLater) }
        return { ledger in try element.naming { try declare(ledger) } }
    }

    private func prepare(
        _ backend: Backend, _ call: Call, isLater: Bool
    ) async throws -> @Sendable (any Ledger) throws -> VendorDeclared {
        var body = body
        // Words that say nothing are no alert, where none is needed.
        if body.verb != .start, body.alert?.object?.members.allSatisfy({ $0.value.string == "" }) == true {
            body.alert = nil
        }
        // Nothing comes of its places later.
        if NamelessActivity.isOne(body.name) { body.endsAt = .at(call.now + NamelessActivity.lifetime) }
        try body.check()
        let declare = try await backend.prepare(body, of: call.app.id, isLater: isLater, call)
        let (warnings, names) = (warnings, names)
        return { ledger in
            do {
                let operation = try declare(ledger)
                let late = operation.outcome == .superseded ? ["something newer was said before: nothing is shown"] : []
                return VendorDeclared(
                    operation: operation, warnings: warnings + operation.warnings.map(names.words) + late)
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

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

/// A vendor's call as one of Eyot's declarations, with warnings for the caller.
struct VendorDeclaration {
    var body: DeclarationBody
    var warnings: [String] = []
    /// The vendor's names for Eyot's members.
    let names: MemberNames

    init(_ verb: DeclarationRequest.Verb, _ name: String, names: MemberNames) {
        self.names = names
        body = DeclarationBody(verb: verb, name: name)
        // As with the vendor, any copy of the app may give a card this name, even after other copies have.
        body.isPublicUnlessSaid = true
    }

    /// Warns that members have no effect.
    mutating func ignore(_ paths: [String]) { warnings += paths.map(Self.ignored) }

    /// Plans the end. A date that has passed, or is too far away to be planned, only gives a warning.
    ///
    /// - Parameter dismissing: whether the card also leaves the screen.
    mutating func plan(end: Instant?, called name: String, at now: Instant, dismissing: Bool = false) {
        guard let end else { return }
        if end > now, end <= now + DeclarationBody.planLead {
            body.endsAt = dismissing ? .dismissing(at: end) : .at(end)
            if end > now + Replica.cardLifetime { warnings.append(DeclarationBody.longPlan(name)) }
        } else if end <= now {
            warnings.append("\(name) has passed: nothing is planned")
        } else {
            warnings.append("\(name) is more than 30 days ahead: nothing is planned")
        }
    }

    static func ignored(_ path: String) -> String { "\(path) is not acted on" }
}

/// The result of a vendor's call.
struct VendorDeclared: Sendable {
    /// Nil if there was no activity to declare anything on.
    var operation: Operation?
    /// Warnings with the vendor's names, including those of the operation.
    var warnings: [String]
    /// The reason that there was no activity.
    var absence: String?

    /// All warnings for the caller.
    var remarks: [String] { warnings + [absence].compactMap(\.self) }
}

extension VendorDeclaration {
    /// Checks the declaration, finds its devices and replicas, and returns its command for the call's transaction.
    ///
    /// Most vendors do not report an error for an activity that is unknown or has ended, because no card can show it.
    ///
    /// - Parameters:
    ///   - isLater: whether other declarations come before it in the same call.
    ///   - element: its element of the call's array, for errors; nil if it is the only one.
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
        // An alert with only empty texts is no alert, except in a start.
        if body.verb != .start, body.alert?.object?.members.allSatisfy({ $0.value.string == "" }) == true {
            body.alert = nil
        }
        // A nameless activity is given an end, because its places are of no use later.
        if NamelessActivity.isNamelessName(body.name) { body.endsAt = .at(call.now + NamelessActivity.lifetime) }
        try body.check()
        let declare = try await backend.commands.prepare(body, isLater: isLater, call.request())
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
    /// Adds the operation's id, so that a caller can ask for its results.
    mutating func name(_ operation: Operation?) { headers[.operation] = operation.map { String($0.id) } }
}

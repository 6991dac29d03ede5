import EyotContract
import EyotDomain

/// A member of a declaration's body: its name, its kind, the calls that take it, and its meaning.
///
/// This is its only description. The reader of bodies, the rules of calls, definitions, the API's description and the
/// reference's table come from ``all``.
package struct DeclarationMember: Sendable {
    /// How a call treats a member.
    package enum Use: String, Sendable {
        case may, needed, ignored
        case withAudience = "with audience"
        case refused = "–"
    }

    /// The kind of a value.
    package enum Kind: Sendable, Equatable {
        case text, object, moment, flag, audience
        case number(ClosedRange<Double>)
        /// One of Apple's priorities for Live Activities.
        case priority
        /// A moment, or `never`.
        case plannedEnd
        /// `true`, or an object with a limit.
        case live
        /// The terms of a canary.
        case canary
        case word([String])
    }

    typealias Read = @Sendable (inout DeclarationBody, inout JSONFields, String) throws(JSONFieldError) -> Void

    package let name: String
    package let kind: Kind
    /// How start, update, end and PUT treat it, in this order.
    package let uses: [Use]
    /// The reason that some calls refuse it.
    let reason: String
    /// Whether a definition may have it. Audience, scope and times belong to each call.
    private(set) var isDefinable: Bool
    /// Its meaning as Markdown, for the reference. Links are relative to the reference of the API.
    package let meaning: String
    /// Reads it into a body. Nil if it is consumed before a body is read.
    let read: Read?

    /// The calls in the order of ``uses``.
    package static let verbs: [DeclarationRequest.Verb] = [.start, .update, .end, .put]

    /// Whether a call takes it.
    package func isTaken(by verb: DeclarationRequest.Verb) -> Bool {
        Self.verbs.firstIndex(of: verb).map { uses[$0] != .refused } ?? false
    }

    /// The meaning as a sentence, without the marks of links.
    package var plainMeaning: String {
        let text = meaning.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { String($0.1) }
        return text.prefix(1).uppercased() + text.dropFirst() + "."
    }

    /// The member of a name; nil if there is none.
    static func named(_ name: String) -> DeclarationMember? { all.first { $0.name == name } }
}

/// Makers for members that are kept as they are read.
extension DeclarationMember {
    typealias Place<Value> = WritableKeyPath<DeclarationBody, Value> & Sendable

    init(
        _ name: String, _ kind: Kind, _ uses: [Use], because reason: String = "", isDefinable: Bool = false,
        _ meaning: String, read: Read?
    ) {
        self.name = name
        self.kind = kind
        self.uses = uses
        self.reason = reason
        self.isDefinable = isDefinable
        self.meaning = meaning
        self.read = read
    }

    static func object(
        _ name: String, _ uses: [Use], because reason: String = "", to place: Place<JSONValue?>, _ meaning: String
    ) -> DeclarationMember {
        DeclarationMember(name, .object, uses, because: reason, isDefinable: true, meaning) {
            (body, fields, name) throws(JSONFieldError) in body[keyPath: place] = try fields.object(name)
        }
    }

    static func moment(
        _ name: String, _ uses: [Use], because reason: String = "", to place: Place<Instant?>, _ meaning: String
    ) -> DeclarationMember {
        DeclarationMember(name, .moment, uses, because: reason, meaning) {
            (body, fields, name) throws(JSONFieldError) in body[keyPath: place] = try fields.moment(name)
        }
    }

    static func number(
        _ name: String, _ range: ClosedRange<Double>, _ uses: [Use], to place: Place<Double?>, _ meaning: String
    ) -> DeclarationMember {
        DeclarationMember(name, .number(range), uses, isDefinable: true, meaning) {
            (body, fields, name) throws(JSONFieldError) in
            body[keyPath: place] = try fields.number(name, within: range)
        }
    }

    static func flag(
        _ name: String, _ uses: [Use], because reason: String = "", to place: Place<Bool>, _ meaning: String
    ) -> DeclarationMember {
        DeclarationMember(name, .flag, uses, because: reason, meaning) {
            (body, fields, name) throws(JSONFieldError) in body[keyPath: place] = try fields.bool(name) ?? false
        }
    }

    /// The same member, which a definition may have too.
    func inDefinitions() -> DeclarationMember {
        var member = self
        member.isDefinable = true
        return member
    }

    static func audience(
        _ name: String, _ uses: [Use], because reason: String, _ meaning: String
    ) -> DeclarationMember {
        // It is read after all others, with errors of its own.
        DeclarationMember(name, .audience, uses, because: reason, meaning) {
            (_, fields, name) throws(JSONFieldError) in _ = fields.value(name)
        }
    }
}

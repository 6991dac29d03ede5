import EyotContract
import Foundation
import PhoneSimulator

/// A fact as text that does not depend on a phone's ids and tokens.
struct ObservedFact {
    var subject: ObservedSubject
    /// The subject as text: `state of card 1`.
    var what: String
    /// The statement about the subject.
    var text: String
    /// The content, if the fact is one. It is compared by meaning.
    var content: CardContent?
    /// The members of the type's state; nil if they are not known.
    var members: Set<String>?
    var moment: Date
    var line: Int?

    func row(_ verdict: RecordingComparison.Verdict) -> RecordingComparison.Row {
        RecordingComparison.Row(
            line: line, moment: moment, what: what, observed: line == nil ? nil : text,
            simulated: line == nil ? text : nil, verdict: verdict, subject: subject)
    }

    /// Whether a simulated fact states the same.
    func says(_ simulated: ObservedFact) -> Bool {
        guard let content, let other = simulated.content else { return text == simulated.text }
        return content.shows(other, members: members)
    }
}

/// The numbering of cards and tokens, in the order in which they appear.
struct FactNaming {
    private(set) var cards: [String: Int] = [:]
    private var tokens: [String: [ShortenedToken]] = [:]
    private var members: [String: Set<String>] = [:]
    private var types: [String: String] = [:]

    init(types: [RecordedType], cards: [String: Int] = [:]) {
        self.cards = cards
        for type in types { members[type.name] = type.schema?.stateMembers }
    }

    private mutating func card(_ id: String) -> String {
        let number = cards[id] ?? cards.count + 1
        cards[id] = number
        return "card \(number)"
    }

    private mutating func number(of token: ShortenedToken, _ what: String) -> String {
        var known = tokens[what] ?? []
        if !known.contains(token) { known.append(token) }
        tokens[what] = known
        return "token \((known.firstIndex(of: token) ?? 0) + 1)"
    }

    mutating func name(_ fact: RecordedFact, _ moment: Date, line: Int?) -> ObservedFact {
        if case .card(let type, let card) = fact { types[card] = type }
        let (what, text) = words(of: fact)
        var named = ObservedFact(subject: ObservedSubject(fact), what: what, text: text, moment: moment, line: line)
        if case .content(let card, let content) = fact {
            named.content = content
            named.members = types[card].flatMap { members[$0] }
        }
        return named
    }

    private mutating func words(of fact: RecordedFact) -> (what: String, text: String) {
        switch fact {
        case .granted(let request, let id, let hasToken):
            ("request \(request)", "\(card(id)), \(hasToken ? "with" : "without") a token")
        case .refused(let request, let error): ("request \(request)", error)
        case .there(let type, let ids): ("\(type) at launch", list(ids))
        case .card(let type, let id): ("cards of \(type)", card(id))
        case .phase(let id, let phase): ("state of \(card(id))", phase)
        case .content(let id, let content): ("content of \(card(id))", content.words)
        case .token(let id, let token): ("token of \(card(id))", number(of: token, id))
        // One numbering for all types, so that a shared token shows.
        case .startToken(let type, let token): ("start token for \(type)", number(of: token, "start"))
        case .activitiesEnabled(let isOn): ("Live Activities", isOn ? "on" : "off")
        case .frequentPushesEnabled(let isOn): ("frequent updates", isOn ? "on" : "off")
        case .over(let sequence):
            ("end of \(sequence.word)" + (sequence.card.map { " of " + card($0) } ?? ""), "over")
        case .woken: ("the app", "woken")
        case .other(let words): ("something else", words)
        }
    }

    private mutating func list(_ ids: [String]) -> String {
        ids.isEmpty ? "none" : ids.map { card($0) }.sorted().joined(separator: ", ")
    }
}

extension RecordedFact {
    /// Returns the fact without some cards, if it lists cards.
    func without(_ cards: Set<String>) -> RecordedFact {
        guard case .there(let type, let there) = self else { return self }
        return .there(type: type, cards: there.filter { !cards.contains($0) })
    }
}

extension ActivitySchema {
    /// The members of the content state; nil if it is not a struct.
    fileprivate var stateMembers: Set<String>? {
        var shape = contentState
        if case .reference(let name) = shape { shape = types[name] ?? shape }
        guard case .object(let object) = shape else { return nil }
        return Set(object.members.map(\.name))
    }
}

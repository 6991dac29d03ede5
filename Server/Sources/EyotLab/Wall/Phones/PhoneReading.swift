import EyotContract
import EyotDomain
import Foundation
import PhoneSimulator

/// A phone at one moment: all that the wall derives from it.
struct PhoneReading: Sendable {
    var id: String
    var user: String?
    var state: PhoneState
    /// The names of the cards, by their ids.
    var names: [String: String]
    /// The states that the SDK applied because of the server's answers, oldest first.
    var applied: [LabPhone.AppliedState] = []

    /// The version of a card as its last push or answer named it; nil if the app itself changed it, or nothing did.
    func namedVersion(of card: SimulatedCard) -> Int? {
        let push = state.pushes.entries.last { $0.effect.card == card.id }?.push.id?.version
        let answer = names[card.id].flatMap { name in applied.last { $0.name == name }?.version }
        return [push, answer].compactMap(\.self).max()
    }

    /// Why the phone dropped the newest push for a card, if the app could not decode it.
    func undecodable(_ card: SimulatedCard?) -> String? {
        for record in state.pushes.entries.reversed() {
            if let card, record.effect.card == card.id { return nil }
            let isForCard =
                card.map { card in
                    record.push.token.map { $0 == card.updateToken } ?? (record.push.channel == card.updates.channel)
                } ?? (record.event == .start)
            guard isForCard else { continue }
            switch record.effect.reason {
            case .decodeFailed(let words): return Self.words(words)
            case .unknownType(let type): return "the app has no type \(type)"
            default: return nil
            }
        }
        return nil
    }

    /// The reason without its heading, which each of them has.
    private static func words(_ words: String) -> String {
        let parts = words.split(separator: ": ", maxSplits: 1)
        return parts.count == 2 && parts[0].hasPrefix("Unable to decode") ? String(parts[1]) : words
    }

    /// Whether a card gets no token because the person has not pressed Allow.
    func waitsForAllow(_ card: SimulatedCard) -> Bool {
        card.origin == .remote && card.updates == .token && card.updateToken == nil && !state.hasAllowed
            && state.settings.allowed != .automatically
    }
}

extension LabPhone {
    /// The phone as it is now.
    var reading: PhoneReading {
        let state = phone.state
        var names: [String: String] = [:]
        for card in state.cards { names[card.id] = name(of: card) }
        return PhoneReading(id: id, user: user, state: state, names: names, applied: appliedStates)
    }
}

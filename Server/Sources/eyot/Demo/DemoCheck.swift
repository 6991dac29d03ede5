import EyotContract
import EyotLab
import Foundation
import PhoneSimulator

/// The comparison of what phones show with what they should show.
enum DemoCheck {
    /// A phone that shows the wrong thing.
    struct Difference: Sendable, Equatable {
        var phone: String
        var words: String
    }

    /// Returns the phones that show the wrong thing. A phone that dismissed the card must not show one. A phone that
    /// never allowed it, or is offline, may show anything.
    static func differences(_ phones: [LabPhone], _ cast: DemoCast, _ final: JSONValue?) -> [Difference] {
        zip(phones, cast.parts).compactMap { phone, part in
            difference(phone.state.cards, part, final).map { Difference(phone: phone.id, words: $0) }
        }
    }

    /// Returns the fault in a phone's cards; nil if they are right.
    static func difference(_ cards: [SimulatedCard], _ part: DemoCast.Part, _ final: JSONValue?) -> String? {
        let inView = cards.filter { $0.phase != .dismissed }
        switch part.incident {
        case .neverAllows, .offlineAtEnd: return nil
        case .dismisses: return inView.isEmpty ? nil : "shows a card again that its owner dismissed"
        case .rotates, .quits, .offlineForAWhile, nil: break
        }
        guard inView.count == 1, let card = inView.first else { return "shows \(inView.count) cards instead of 1" }
        guard let final, card.content.state.isSame(as: final) else {
            return "shows \(card.content.state.text) instead of \(final?.text ?? "nothing")"
        }
        return card.phase == .ended ? nil : "shows the card as \(card.phase.rawValue) instead of ended"
    }
}

extension JSONValue {
    /// Whether two values are equal, regardless of the order of members.
    func isSame(as other: JSONValue) -> Bool {
        guard let left = object?.members, let right = other.object else { return self == other }
        return left.count == right.members.count
            && left.allSatisfy { member in right[member.name].map { member.value.isSame(as: $0) } ?? false }
    }
}

extension MatchAttributes.ContentState {
    /// The state as a backend writes it.
    var json: JSONValue {
        var object = JSONObject([
            ("homeScore", .integer(homeScore)), ("awayScore", .integer(awayScore)), ("clock", .string(clock)),
        ])
        object["lastEvent"] = lastEvent.map(JSONValue.string)
        return .object(object)
    }
}

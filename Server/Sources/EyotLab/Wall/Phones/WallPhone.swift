import EyotContract
import Foundation
import PhoneSimulator

/// A phone on the wall.
struct WallPhone: Sendable, Hashable {
    var id: String
    var user: String?
    var mark: WallMark
    /// What the mark does not say: the member that does not decode.
    var note: String?
    /// The cards on the lock screen, topmost first.
    var cards: [WallCard]
    /// Whether the phone has a Dynamic Island.
    var hasIsland: Bool

    /// How many cards of a phone are drawn.
    static let cardLimit = 5

    /// Reads a phone beside the declared activities.
    init(_ phone: PhoneReading, _ declared: [String: DeclaredActivity], _ faces: inout CardFaces) {
        id = phone.id
        user = phone.user
        hasIsland = phone.state.configuration.hasDynamicIsland
        cards = phone.state.lockScreen.prefix(Self.cardLimit).map { card in
            let entry = faces.entry(
                of: CardFaces.Content(type: card.type, attributes: card.attributes, state: card.shown.content.state))
            return WallCard(card, on: phone, phone.names[card.id].flatMap { declared[$0] }, entry)
        }
        if let worst = cards.max(by: { $0.mark.weight < $1.mark.weight }) {
            mark = worst.mark
            note = worst.note
        } else {
            (mark, note) = Self.withoutCard(phone, declared)
        }
        if !phone.state.isOnline { mark = .offline }
    }

    /// Why a phone shows no card.
    private static func withoutCard(
        _ phone: PhoneReading, _ declared: [String: DeclaredActivity]
    ) -> (WallMark, String?) {
        if !phone.state.settings.activitiesEnabled { return (.off, nil) }
        if let last = phone.state.pushes.entries.last, last.event == .start, let words = phone.undecodable(nil) {
            return (.undecodable, words)
        }
        guard let card = phone.state.cards.last(where: { $0.phase == .dismissed }) else { return (.empty, nil) }
        let activity = phone.names[card.id].flatMap { declared[$0] }
        guard let end = activity?.endedAt, activity?.isEnded == true else { return (.dismissed, nil) }
        // A card that was gone before the end was swiped away.
        return ((card.removedAt ?? end) < end ? .dismissed : .ended, nil)
    }
}

extension WallPhone {
    /// The phone for the page. Faces are named by their numbers.
    var json: JSONValue {
        var object = JSONObject([("id", .string(id)), ("mark", .string(mark.rawValue))])
        object["user"] = user.map { .string(Words.clipped($0)) }
        object["note"] = note.map { .string(Words.clipped($0, to: 160)) }
        if hasIsland { object["island"] = true }
        object["cards"] = .array(cards.map(\.json))
        return .object(object)
    }

    /// The phone for programs, with the state of each card as a sentence.
    func slim(_ faces: [Int: CardFace]) -> JSONValue {
        guard var object = json.object else { return json }
        object["cards"] = .array(
            cards.map { card in
                guard var drawn = card.json.object else { return card.json }
                drawn["face"] = nil
                drawn["type"] = .string(card.type)
                drawn["shows"] = faces[card.face].map { .string($0.sentence) }
                return .object(drawn)
            })
        return .object(object)
    }
}

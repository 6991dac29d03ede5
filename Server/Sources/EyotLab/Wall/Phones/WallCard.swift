import EyotContract
import EyotDomain
import Foundation
import PhoneSimulator

/// A card on the wall: what the phone shows, beside what was declared.
struct WallCard: Sendable, Hashable {
    /// The name of its activity; nil if it has none.
    var name: String?
    var type: String
    var phase: CardPhase
    /// The number of its face.
    var face: Int
    /// What is to be seen of it at a glance.
    var mark: WallMark
    /// Why the phone dropped a newer state; nil if it did not.
    var note: String?
    /// The version that it shows; nil if that is not known.
    var version: Int?
    /// The newest version that was declared for all cards; nil if nothing was.
    var declared: Int?
    /// Whether it leads the Dynamic Island.
    var leads: Bool
    /// Since when it is behind; nil if it is not.
    var behindSince: Date?

    init(
        _ card: SimulatedCard, on phone: PhoneReading, _ activity: DeclaredActivity?, _ entry: CardFaces.Entry
    ) {
        name = phone.names[card.id]
        type = card.type
        phase = card.phase
        face = entry.id
        leads = card.id == phone.state.leadingCard?.id
        let matching = activity?.version(of: entry.digest)
        guard let activity, activity.stateVersion > 0 else {
            mark = card.phase == .ended ? .ended : phone.waitsForAllow(card) ? .waiting : .shown
            return
        }
        declared = activity.stateVersion
        // A state that was declared twice counts as the newer one.
        version = matching == activity.stateVersion ? matching : phone.namedVersion(of: card) ?? matching
        if card.phase == .ended {
            mark = .ended
        } else if let version, version >= activity.stateVersion, !activity.isEnded {
            mark = phone.waitsForAllow(card) ? .waiting : .shown
        } else {
            behindSince = version.flatMap(activity.superseded) ?? activity.declaredAt
            note = phone.undecodable(card)
            mark = phone.waitsForAllow(card) ? .waiting : note != nil ? .undecodable : .behind
        }
    }
}

extension WallCard {
    /// The card for the page.
    var json: JSONValue {
        var object = JSONObject()
        object["name"] = name.map { .string($0) }
        object["phase"] = .string(phase.rawValue)
        object["face"] = .integer(face)
        object["mark"] = .string(mark.rawValue)
        object["note"] = note.map { .string(Words.clipped($0, to: 160)) }
        object["version"] = version.map { .integer($0) }
        object["declared"] = declared.map { .integer($0) }
        object["behindSince"] = behindSince.map { .string(RFC3339.text(of: $0)) }
        if leads { object["leads"] = true }
        return .object(object)
    }
}

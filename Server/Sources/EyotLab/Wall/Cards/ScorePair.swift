import EyotContract
import Foundation

/// The two members of a state that count goals or points.
struct ScorePair: Sendable, Hashable {
    struct Member: Sendable, Hashable {
        var name: String
        var goals: Int

        /// The name without its word for the score.
        var stem: String {
            for word in ScorePair.words {
                guard let range = name.range(of: word, options: [.caseInsensitive, .backwards]) else { continue }
                return name.replacingCharacters(in: range, with: "")
            }
            return name
        }

        /// Below 0 for the side that is named first, above 0 for the other one.
        fileprivate var rank: Int {
            let stem = stem.lowercased()
            let isFirst = ["home", "one", "first", "left"].contains(where: stem.contains)
            let isSecond = ["away", "guest", "two", "second", "right"].contains(where: stem.contains)
            return isFirst == isSecond ? 0 : isFirst ? -1 : 1
        }
    }

    var left: Member
    var right: Member

    private static let words = ["Score", "Goals", "Points"]

    /// Finds them; nil unless exactly two whole numbers of the state have such a name.
    init?(in state: JSONValue) {
        let members = (state.object?.members ?? []).compactMap { member -> Member? in
            let name = member.name.lowercased()
            guard Self.words.contains(where: { name.contains($0.lowercased()) }), let goals = member.value.integer
            else { return nil }
            return Member(name: member.name, goals: goals)
        }
        guard members.count == 2 else { return nil }
        // A state that the SDK applied has its members in any order.
        let isTurned = members[0].rank > members[1].rank
        (left, right) = isTurned ? (members[1], members[0]) : (members[0], members[1])
    }

    func contains(_ name: String) -> Bool { name == left.name || name == right.name }
}

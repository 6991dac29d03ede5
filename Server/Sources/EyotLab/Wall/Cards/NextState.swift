import EyotContract

/// The state after the next thing that happens: a goal in a match, otherwise a step of what the state counts.
struct NextState: Sendable, Hashable {
    var state: JSONValue
    /// What happened, for the alert.
    var title: String
    var detail: String

    /// One of the two sides of a score.
    enum Side: String, Sendable {
        case left
        case right
    }

    /// - Parameters:
    ///   - side: the side that scores. Nil for the one that is behind, and the left one if both are equal.
    ///   - hasLastEvent: whether the state has a member `lastEvent` for a text.
    /// - Returns: nil if the state counts nothing.
    init?(after state: JSONValue, side: Side? = nil, hasLastEvent: Bool = false) {
        guard var object = state.object else { return nil }
        if let pair = ScorePair(in: state) {
            let scorer = side ?? (pair.left.goals <= pair.right.goals ? .left : .right)
            let member = scorer == .left ? pair.left : pair.right
            object[member.name] = .integer(member.goals + 1)
            if let minute = object["clock"]?.string.flatMap(Self.minute) {
                object["clock"] = .string("\(min(minute + 4, 90))'")
            }
            if hasLastEvent || object["lastEvent"] != nil { object["lastEvent"] = "Goal!" }
            title = "Goal!"
            let goals = (pair.left.goals + (scorer == .left ? 1 : 0), pair.right.goals + (scorer == .right ? 1 : 0))
            detail = "\(goals.0)–\(goals.1)"
        } else if let progress = object.members.first(where: { $0.name.lowercased().contains("progress") }),
            let share = progress.value.double
        {
            let tenths = ((share * 10).rounded() + 1) / 10
            object[progress.name] = .finite(tenths > 1 ? 0 : tenths)
            (title, detail) = ("Progress", "\(Int((tenths * 100).rounded())) %")
        } else if let count = object.members.first(where: { $0.value.integer != nil }), let number = count.value.integer
        {
            let isCountdown = ["left", "remaining", "position"].contains { count.name.lowercased().contains($0) }
            let next = isCountdown ? max(0, number - 1) : number + 1
            object[count.name] = .integer(next)
            (title, detail) = (Words.of(count.name), "\(next)")
        } else {
            return nil
        }
        self.state = .object(object)
    }

    /// The minute in a text such as `23'`.
    private static func minute(_ clock: String) -> Int? {
        let digits = clock.prefix { $0.isNumber }
        return digits.count < clock.count && clock.dropFirst(digits.count).first == "'" ? Int(digits) : nil
    }
}

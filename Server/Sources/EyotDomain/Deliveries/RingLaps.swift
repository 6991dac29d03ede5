/// How far laps over an activity's pages have come. It is durable, so that a lap which breaks off goes on where it stood (R3).
package struct RingLaps: Sendable, Hashable {
    /// The newest version for everyone when the last lap began.
    package var begun = 0
    /// That of the last lap that came to its end. Each page has seen it since, or is unseen.
    package var ended = 0

    package init() {}

    /// Begins a lap, or goes on with one that broke off.
    package mutating func begin(newest: Int) -> RingLap {
        if begun > ended { return .resumed(begun) }
        guard newest > ended else { return .unseen }
        begun = newest
        return .all
    }

    /// Not before the next one begins or there is nothing to do: what the last of its pages bring would be lost with the process
    /// time and again, if each lap after a crash began with the first.
    package mutating func end() { ended = begun }
}

/// Which pages a lap looks at, by their numbers.
package enum RingLap: Sendable, Hashable {
    /// Those that are unseen: all others have seen what there is.
    case unseen
    /// Those that have not seen what is newest when it comes to them.
    case all
    /// It broke off: those that it had not come to, which have not seen what was newest when it began.
    case resumed(Int)

    /// The version that the pages have not seen.
    package func version(newest: Int) -> Int {
        switch self {
        case .unseen: 0
        case .all: newest
        case .resumed(let version): version
        }
    }
}

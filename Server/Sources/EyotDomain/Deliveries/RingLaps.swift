/// The progress of laps over an activity's pages of the ring. It is durable, so that a lap continues after a crash
/// (R3).
package struct RingLaps: Sendable, Hashable {
    /// The newest version for everyone when the last lap began, 0 if none has.
    package var begun = 0
    /// The value of ``begun`` of the last lap that ended. Each page has seen this version, or is unseen.
    package var ended = 0

    package init() {}

    /// Begins a lap, or resumes a lap that a crash broke off.
    package mutating func begin(newest: Int) -> RingLap {
        if begun > ended { return .resumed(begun) }
        guard newest > ended else { return .unseen }
        begun = newest
        return .all
    }

    /// Ends the lap. The caller does so when the next lap begins or nothing is due any more. The last pages of a lap
    /// may still be under way when it reaches its end. A crash would lose what they bring, and a new lap that begins
    /// with the first page could lose it again.
    package mutating func end() { ended = begun }
}

/// The pages that a lap looks at, in the order of their numbers.
package enum RingLap: Sendable, Hashable {
    /// The unseen pages. All other pages have seen the newest version.
    case unseen
    /// The pages that have not seen the newest version when the lap comes to them.
    case all
    /// The rest of a lap that broke off: the pages that have not seen the version with which it began.
    case resumed(Int)

    /// The version that the lap's pages have not seen, 0 for unseen pages.
    package func version(newest: Int) -> Int {
        switch self {
        case .unseen: 0
        case .all: newest
        case .resumed(let version): version
        }
    }
}

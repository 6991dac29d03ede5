/// How far laps over an activity's pages have come. It is durable, so that a lap which breaks off goes on where it stood (R3).
package struct RingLaps: Sendable, Hashable {
    /// The newest version for everyone when the last lap began.
    package var begun = 0
    /// That of the last lap that came to its end. Each page has seen it since, or is unseen.
    package var ended = 0

    package init() {}

    /// Begins a lap, or goes on with one that broke off.
    ///
    /// - Returns: pages that have not seen this version are looked at; 0 for those that are unseen, where all others have seen
    ///   what there is.
    package mutating func begin(newest: Int) -> Int {
        if begun > ended { return begun }
        guard newest > ended else { return 0 }
        begun = newest
        return newest
    }

    /// Not before the next one begins or there is nothing to do: what the last of its pages bring would be lost with the process
    /// time and again, if each lap after a crash began with the first.
    package mutating func end() { ended = begun }
}

extension Replica {
    /// Drops everything about the phone and leaves the place as taken. A card that runs goes on by itself until iOS
    /// ends it, or until its phone registers anew and reports it.
    package mutating func forget() {
        switch phase {
        case .live, .waitingForToken: phase = .untracked
        case .starting: phase = .notStarted(.givenUp)
        case .dead, .unlisted: (phase, removal) = (.ended, nil)
        case .ended, .dismissed, .notStarted, .untracked: break
        }
        token = nil
        instance = nil
        lease = nil
        retry = nil
        ending = nil
        following = .none
    }
}

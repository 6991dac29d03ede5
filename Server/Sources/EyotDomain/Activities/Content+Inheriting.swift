import EyotContract

/// What a declaration keeps of earlier ones.
extension Content {
    /// Members that keep their values when a later declaration does not mention them; `null` removes them.
    package enum StickyMember: String, Sendable, Hashable, CaseIterable {
        /// The absolute date and the relative one: the newer of the two counts.
        case stale
        case relevanceScore
    }

    /// Takes over the members that an earlier declaration said and this one does not mention.
    ///
    /// - Parameters:
    ///   - removed: members that this declaration removes.
    ///   - shownFrom: when cards show it. A relative stale date counts from then.
    package mutating func inherit(
        _ former: Content, except removed: Set<StickyMember>, shownFrom: Instant
    ) {
        if staleDate == nil, !removed.contains(.stale) {
            staleAfter = former.staleAfter
            staleDate = former.staleAfter.map { shownFrom.second + $0 } ?? former.staleDate
        }
        if relevanceScore == nil, !removed.contains(.relevanceScore) { relevanceScore = former.relevanceScore }
        startAlert = startAlert ?? former.startAlert
    }
}

extension TypeProfile {
    /// What the first declaration of an activity says when its caller does not.
    package var defaults: Content {
        Content(relevanceScore: relevanceScore, staleAfter: staleAfter)
    }
}

import EyotContract

/// The members that a declaration keeps from earlier ones.
extension Content {
    /// Members that keep their values when a later declaration does not mention them; `null` removes them.
    package enum StickyMember: String, Sendable, Hashable, CaseIterable {
        /// The stale date, absolute or relative. The newer of the two counts.
        case stale
        case relevanceScore
    }

    /// Copies the sticky members that this declaration does not mention from an earlier one.
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
    /// The values of an activity's first declaration for members that its caller leaves out.
    package var defaults: Content {
        Content(relevanceScore: relevanceScore, staleAfter: staleAfter)
    }
}

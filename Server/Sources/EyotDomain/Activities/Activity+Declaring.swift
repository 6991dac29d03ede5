import EyotContract

/// What a caller asks of an activity, checked in itself and not yet against what is there.
package struct DeclarationRequest: Sendable, Hashable {
    package enum Verb: String, Sendable, Hashable, CaseIterable {
        case start, update, end
        /// Declares the state, whatever it takes: starts, updates, or does nothing.
        case put
    }

    package var verb: Verb
    package var name: String
    package var type: String?
    package var attributes: JSONValue?
    package var content: Content
    /// Whom to start; frozen when accepted.
    package var audience: Audience?
    /// Those who come to belong to it are started, too.
    package var live: LiveAudience.Terms?
    /// The replicas the declaration concerns; nil is everyone.
    package var scope: Audience?
    /// Whether the caller says when the state is stale, or that it never is.
    package var saysWhenStale = false
    /// Members that the caller removes: earlier declarations say them no more.
    package var removed: Set<Content.StickyMember> = []
    package var asOf: Instant?
    /// When to start; nil is now.
    package var startsAt: Instant?
    package var endsAt: PlannedEnd?
    /// What the caller has seen.
    package var match: VersionMatch?
    package var isForced = false
    package var restartsDismissed = false
    /// Reach cards by a broadcast channel where they can follow one.
    package var wantsChannel = false
    /// Whether any phone of the app may join; nil leaves it as it is.
    package var isPublic: Bool?
    /// Public as long as nobody has said whether it is.
    package var isPublicUnlessSaid = false
    /// Cards of the name are on their way, though nobody has spoken of it: an update and an end open it for them.
    package var isAwaited = false
    /// Tried out with a few first; nil is for everyone at once.
    package var canary: Canary.Terms?
    /// See ``Operation/source``.
    package var source: String?

    package init(verb: Verb, name: String, content: Content) {
        self.verb = verb
        self.name = name
        self.content = content
    }
}

/// When a caller wants an activity to end by itself.
package enum PlannedEnd: Sendable, Hashable {
    case at(Instant)
    /// The same, and the cards go from the screen with it.
    case dismissing(at: Instant)
    /// Not any more.
    case never

    package var moment: Instant? {
        switch self {
        case .at(let moment), .dismissing(let moment): moment
        case .never: nil
        }
    }
}

/// A version of an activity, across its generations. Written as an entity tag: `"2-14"`.
package struct VersionTag: Sendable, Hashable {
    package var generation: Int
    package var version: Int

    package init(generation: Int, version: Int) {
        self.generation = generation
        self.version = version
    }

    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let generation = parts[0], let version = parts[1] else { return nil }
        self.init(generation: generation, version: version)
    }

    package var text: String { "\(generation)-\(version)" }
}

/// Under what condition a caller wants a declaration to be taken.
package enum VersionMatch: Sendable, Hashable {
    /// The newest version is this one, as an entity tag says it.
    case tag(VersionTag)
    /// The newest generation stands at this version, as an answer's `version` says it.
    case version(Int)
    /// There is something of the name: `If-Match: *`.
    case anything
    /// There is nothing of the name, or what there was has ended: `If-None-Match: *`.
    case nothing
    /// The caller shows a tag that was never given out: it does not hold, whatever there is.
    case unknownTag

    /// - Parameter text: what stands in an entity tag.
    package init(_ text: String) {
        if let tag = VersionTag(text) {
            self = .tag(tag)
        } else if let version = Int(text) {
            self = .version(version)
        } else {
            self = .unknownTag
        }
    }

    /// - Parameters:
    ///   - newest: where the name stands, nil where there is none of it.
    ///   - isEnded: whether that is over.
    package func holds(at newest: VersionTag?, isEnded: Bool) -> Bool {
        switch self {
        case .tag(let tag): tag == newest
        case .version(let version): version == newest?.version
        case .anything: newest != nil && !isEnded
        case .nothing: newest == nil || isEnded
        case .unknownTag: false
        }
    }
}

/// What a request does to an activity.
package enum DeclarationPlan: Sendable, Hashable {
    /// Opens this generation with the declaration.
    case open(generation: Int)
    /// Adds a version to the open generation, for everyone or for the members of its scope.
    case declare(everyone: Bool)
    /// Starts more cards in the open generation; the state is theirs alone.
    case startMore
    /// What is declared is what was declared; cards that lack may be started, and the planned end may move.
    case repeatNewest
    /// Something newer has been declared: not applied (R14).
    case superseded
    /// The activity has ended in just this way.
    case repeatEnd
    /// The caller's condition does not hold: not applied.
    case unmet
}

extension DeclarationRequest {
    /// Decides what the request does.
    ///
    /// - Parameters:
    ///   - newest: the newest generation of the name, nil where there is none.
    ///   - current: the declaration of its newest state for everyone, also when it is tried out.
    ///   - end: the declaration that ended it.
    /// - Throws: ``EyotError`` where the activity is unknown, ended, or of another type.
    package func plan(
        newest: Activity?, current: Declaration?, end: Declaration? = nil, at now: Instant
    ) throws(EyotError) -> DeclarationPlan {
        let stand = newest.map { VersionTag(generation: $0.generation, version: $0.version) }
        if let match, !match.holds(at: stand, isEnded: newest?.isEnded ?? false) { return .unmet }
        guard let newest, !newest.isEnded else {
            switch verb {
            case .start, .put: return try opening(after: newest)
            case .update where isAwaited, .end where isAwaited: return try opening(after: newest)
            case .end where newest?.hasCardsInView(at: now) == true && content.changesEnd:
                return try endingAgain(after: end)
            case .update, .end: throw newest == nil ? .activityUnknown(name) : .activityEnded(name)
            }
        }
        if newest.isTryingItsEnd, verb != .end, scope == nil { throw .activityEnded(name) }
        if let type, let known = newest.type, newest.isTypeDeclared, type != known {
            throw EyotError(
                .typeMismatch, "activity \(name) is of type \(known), not \(type)", field: "type")
        }
        // An end is never late (R5).
        if scope == nil, verb != .end, verb != .start || newest.version == 0, isLate(in: newest) { return .superseded }
        switch verb {
        case .start where newest.version == 0: return .declare(everyone: true)
        case .start:
            guard canary == nil else {
                throw EyotError(
                    .fieldInvalid,
                    "canary is for what everyone gets, and \(name) runs: this start only adds cards to it",
                    field: "canary")
            }
            return .startMore
        // Where some may show something else it is declared anew: something scoped has come since, or is true of a later moment.
        case .put
        where scope == nil && newest.version == newest.declaredState && !tellsMore(than: newest)
            && isRepetition(of: current, in: newest, at: now):
            return .repeatNewest
        case .update, .end, .put: return .declare(everyone: scope == nil)
        }
    }

    /// Whether the caller's moment is older than the newest state for everyone (R14).
    package func isLate(in activity: Activity) -> Bool {
        guard let asOf, let known = activity.latestAsOf else { return false }
        return asOf < known
    }

    /// A card that has ended may still be in view: a further end can change its last state or take it away.
    private func endingAgain(after end: Declaration?) throws(EyotError) -> DeclarationPlan {
        guard scope == nil else { throw EyotError(.activityEnded, Self.furtherEnd(of: name), field: "scope") }
        guard canary == nil else { throw EyotError(.fieldInvalid, Self.furtherEnd(of: name), field: "canary") }
        return end?.content == content ? .repeatEnd : .declare(everyone: true)
    }

    private static func furtherEnd(of name: String) -> String {
        "activity \(name) has ended, and a further end is for all of its cards"
    }

    private func opening(after former: Activity?) throws(EyotError) -> DeclarationPlan {
        guard scope == nil else {
            throw EyotError(.scopeWithoutActivity, "activity \(name) has no replicas to choose from", field: "scope")
        }
        if verb != .end, let asOf, let endedAt = former?.endedAt, asOf < endedAt { return .superseded }
        return .open(generation: (former?.generation ?? 0) + 1)
    }

    /// Whether some know of a later moment than everyone does, and the request of one that is later than everyone's.
    private func tellsMore(than newest: Activity) -> Bool {
        guard let scoped = newest.scopedAsOf, let common = newest.everyoneAsOf, scoped > common else { return false }
        return asOf.map { $0 > common } ?? true
    }

    private func isRepetition(of current: Declaration?, in newest: Activity, at now: Instant) -> Bool {
        // A request that wants what is tried out for everyone says something new.
        guard canary != nil || newest.openCanary == nil else { return false }
        guard let current else { return false }
        if let alert = content.alert, current.content.alert?.text != alert.text { return false }
        var known = current.content
        (known.alert, known.startAlert) = (content.alert, content.startAlert)
        if !saysWhenStale, known.staleAfter == content.staleAfter, !current.hasHalfExpired(at: now) {
            known.staleDate = content.staleDate
        }
        return known == content
    }
}

extension Content {
    /// Whether an end says anything that cards which have ended could show.
    fileprivate var changesEnd: Bool { state != nil || dismissalDate != nil }
}

extension Declaration {
    /// Whether half of the time has passed for which its state counts as fresh. A repetition then renews the stale date.
    fileprivate func hasHalfExpired(at now: Instant) -> Bool {
        content.staleAfter.map { now.seconds(since: acceptedAt) * 2 >= Double($0) } ?? false
    }
}

import EyotContract

/// A caller's request to declare something, checked in itself but not yet against the activity.
package struct DeclarationRequest: Sendable, Hashable {
    package enum Verb: String, Sendable, Hashable, CaseIterable {
        case start, update, end
        /// Declares the state: starts cards, updates them or does nothing, as needed.
        case put
    }

    package var verb: Verb
    package var name: String
    package var type: String?
    package var attributes: JSONValue?
    package var content: Content
    /// The devices to start, frozen when the request is accepted.
    package var audience: Audience?
    /// The terms under which devices that join the audience later are started too; nil if they are not.
    package var live: LiveAudience.Terms?
    /// The replicas that the declaration applies to; nil is everyone.
    package var scope: Audience?
    /// Whether the caller gives a stale date, or removes it.
    package var saysWhenStale = false
    /// Members that the caller removes. They are not inherited from earlier declarations.
    package var removed: Set<Content.StickyMember> = []
    package var asOf: Instant?
    /// When the starts leave; nil is now.
    package var startsAt: Instant?
    package var endsAt: PlannedEnd?
    /// The caller's condition on the version.
    package var match: VersionMatch?
    package var isForced = false
    package var restartsDismissed = false
    /// Whether cards that can follow a broadcast channel are reached by one.
    package var wantsChannel = false
    /// Whether any phone of the app may join; nil changes nothing.
    package var isPublic: Bool?
    /// Makes the activity public if neither a call nor the activity says otherwise.
    package var isPublicUnlessSaid = false
    /// Whether cards of the name are on their way although it is unknown. An update or an end then opens the activity
    /// for them.
    package var isAwaited = false
    /// Whether an end that carries nothing is a further end. The cards may still run, because no schema says that
    /// phones could decode the state of the end before.
    package var mayEndAgain = false
    /// The terms of a canary; nil declares for everyone at once.
    package var canary: Canary.Terms?
    /// See ``Operation/source``.
    package var source: String?

    package init(verb: Verb, name: String, content: Content) {
        self.verb = verb
        self.name = name
        self.content = content
    }
}

/// A caller's plan for when an activity ends by itself.
package enum PlannedEnd: Sendable, Hashable {
    case at(Instant)
    /// The same, and the cards leave the screen with the end.
    case dismissing(at: Instant)
    /// Lifts a planned end.
    case never

    package var moment: Instant? {
        switch self {
        case .at(let moment), .dismissing(let moment): moment
        case .never: nil
        }
    }
}

/// A version of an activity across its generations, written as an entity tag such as `"2-14"`.
package struct VersionTag: Sendable, Hashable {
    package var generation: Int
    package var version: Version

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

/// The condition under which a caller wants a declaration to be applied.
package enum VersionMatch: Sendable, Hashable {
    /// The newest version is this one, given as an entity tag.
    case tag(VersionTag)
    /// The newest generation has this version, as `version` in an answer gives it.
    case version(Int)
    /// The name has an activity that runs: `If-Match: *`.
    case anything
    /// The name has no activity, or its activity has ended: `If-None-Match: *`.
    case nothing
    /// The caller's tag was never given out. The condition never holds.
    case unknownTag

    /// - Parameter text: the text inside an entity tag.
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
    ///   - newest: the newest version of the name; nil if there is none.
    ///   - isEnded: whether the activity of that version has ended.
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

/// The effect of a request on an activity.
package enum DeclarationPlan: Sendable, Hashable {
    /// Opens this generation with the declaration.
    case open(generation: Int)
    /// Adds a version to the open generation, for everyone or for the members of its scope.
    case declare(everyone: Bool)
    /// Starts more cards in the open generation. The state applies only to these cards.
    case startMore
    /// The declaration repeats the newest one. Missing cards may be started, and the planned end may move.
    case repeatNewest
    /// Something newer has been declared: not applied (R14).
    case superseded
    /// The activity has ended with the same content.
    case repeatEnd
    /// The caller's condition does not hold: not applied.
    case unmet
}

extension DeclarationRequest {
    /// Decides the effect of the request.
    ///
    /// - Parameters:
    ///   - newest: the newest generation of the name; nil if there is none.
    ///   - current: the declaration of its newest state for everyone, including a state that is being tried.
    ///   - end: the declaration that ended it.
    /// - Throws: ``EyotError`` if the activity is unknown, ended or of another type, or if the request does not fit it.
    package func plan(
        newest: Activity?, current: Declaration?, end: Declaration? = nil, at now: Instant
    ) throws(EyotError) -> DeclarationPlan {
        let stand = newest.map { VersionTag(generation: $0.generation, version: $0.version) }
        if let match, !match.holds(at: stand, isEnded: newest?.isEnded ?? false) { return .unmet }
        guard let newest, !newest.isEnded else {
            switch verb {
            case .start, .put: return try opening(after: newest)
            case .update where isAwaited, .end where isAwaited: return try opening(after: newest)
            case .end where newest?.hasCardsInView(at: now) == true && (content.changesEnd || mayEndAgain):
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
                    "canary is not allowed, because activity \(name) runs and this start only adds cards to it",
                    field: "canary")
            }
            return .startMore
        // A repetition is declared anew if some replicas may show another state: a scoped state was declared since, or
        // is true of a later moment.
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

    /// Plans a further end. A card that has ended may still be in view, so the end can change its last state or remove
    /// it.
    private func endingAgain(after end: Declaration?) throws(EyotError) -> DeclarationPlan {
        guard canary == nil else {
            throw EyotError(
                .fieldInvalid, "canary is not allowed, because activity \(name) has already ended",
                field: "canary")
        }
        guard scope == nil else { return .declare(everyone: false) }
        return end?.content == content ? .repeatEnd : .declare(everyone: true)
    }

    private func opening(after former: Activity?) throws(EyotError) -> DeclarationPlan {
        guard scope == nil else {
            throw EyotError(.scopeWithoutActivity, "activity \(name) has no replicas to choose from", field: "scope")
        }
        if verb != .end, let asOf, let endedAt = former?.endedAt, asOf < endedAt { return .superseded }
        return .open(generation: (former?.generation ?? 0) + 1)
    }

    /// Whether a scoped state is true of a later moment than the common state, and the request is too.
    private func tellsMore(than newest: Activity) -> Bool {
        guard let scoped = newest.scopedAsOf, let common = newest.common.asOf, scoped > common else { return false }
        return asOf.map { $0 > common } ?? true
    }

    private func isRepetition(of current: Declaration?, in newest: Activity, at now: Instant) -> Bool {
        // A request for everyone at once is not a repetition of a state that a canary tries.
        guard canary != nil || newest.openCanary == nil else { return false }
        guard let current, repeatsStart(of: current) else { return false }
        if let alert = content.alert, current.content.alert?.text != alert.text { return false }
        var known = current.content
        (known.alert, known.startAlert) = (content.alert, content.startAlert)
        if !saysWhenStale, known.staleAfter == content.staleAfter, !current.hasHalfExpired(at: now) {
            known.staleDate = content.staleDate
        }
        return known == content
    }
}

extension DeclarationRequest {
    /// Whether a card that it starts gets the attributes and the alert of a declaration. What it does not mention, it
    /// does not change.
    fileprivate func repeatsStart(of current: Declaration) -> Bool {
        (attributes == nil || attributes == current.attributes)
            && (content.startAlert == nil || content.startAlert == current.content.startAlert)
    }

    /// Whether a start says nothing else than a declaration (R16).
    package func repeats(_ current: Declaration?) -> Bool {
        guard let current, repeatsStart(of: current) else { return false }
        return content.state == current.content.state
    }
}

extension Content {
    /// Whether an end carries anything that cards which have ended could show.
    fileprivate var changesEnd: Bool { state != nil || dismissalDate != nil }
}

extension Declaration {
    /// Whether half of the time for which its state counts as fresh has passed. A repetition then renews the stale
    /// date.
    fileprivate func hasHalfExpired(at now: Instant) -> Bool {
        content.staleAfter.map { now.seconds(since: acceptedAt) * 2 >= Double($0) } ?? false
    }
}

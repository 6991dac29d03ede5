import EyotContract

/// One of the sequences that an app can follow: its first elements for a new listener, and its reaction to each later
/// event. The streams of a ``PhoneProcess`` and the replay of a ``Recording`` use these.
struct PhoneSequence<Element: Sendable>: Sendable {
    let start: @Sendable (PhoneState) -> StreamStart<Element>
    let step: @Sendable (PhoneEvent) -> StreamStep<Element>
}

extension PhoneSequence where Element == String {
    static func cardIDs(ofType type: String) -> Self {
        PhoneSequence { state in
            StreamStart(elements: state.rules.replaysCards ? state.cards(ofType: type).map(\.id) : [])
        } step: { event in
            guard case .cardAppeared(type, let card) = event else { return .skip }
            return .yield(card)
        }
    }
}

extension PhoneSequence where Element == CardPhase {
    static func phases(ofCard id: String, under rules: PhoneRules) -> Self {
        let ends = rules.cardStreamsEnd
        return PhoneSequence { state in
            let phase = state.card(id)?.phase ?? .dismissed
            return StreamStart(elements: [phase], isOver: ends && phase == .dismissed)
        } step: { event in
            guard case .phase(id, let phase) = event else { return .skip }
            return ends && phase == .dismissed ? .last(phase) : .yield(phase)
        }
    }
}

extension PhoneSequence where Element == CardContent {
    static func contents(ofCard id: String, under rules: PhoneRules) -> Self {
        let ends = rules.cardStreamsEnd
        return PhoneSequence { state in
            guard let card = state.card(id) else { return .over }
            return StreamStart(elements: [card.content], isOver: ends && card.phase == .dismissed)
        } step: { event in
            switch event {
            case .content(id, let content): .yield(content)
            case .phase(id, .dismissed) where ends: .finish
            default: .skip
            }
        }
    }
}

extension PhoneSequence where Element == PushToken {
    static func updateTokens(ofCard id: String, under rules: PhoneRules) -> Self {
        let ends = rules.cardStreamsEnd
        return PhoneSequence { state in
            guard let card = state.card(id) else { return .over }
            let replayed = state.rules.replaysUpdateToken ? card.updateToken : nil
            return StreamStart(elements: replayed.map { [$0] } ?? [], isOver: ends && card.phase == .dismissed)
        } step: { event in
            switch event {
            case .updateToken(id, let token): .yield(token)
            case .phase(id, .dismissed) where ends: .finish
            default: .skip
            }
        }
    }

    static var startTokens: Self {
        PhoneSequence { state in
            let replayed = state.rules.replaysStartToken ? state.startToken : nil
            return StreamStart(elements: replayed.map { [$0] } ?? [])
        } step: { event in
            guard case .startToken(let token) = event else { return .skip }
            return .yield(token)
        }
    }
}

extension PhoneSequence where Element == Bool {
    static var activitiesEnabled: Self {
        PhoneSequence { state in
            StreamStart(elements: state.rules.replaysSettings ? [state.settings.activitiesEnabled] : [])
        } step: { event in
            guard case .activitiesEnabled(let isOn) = event else { return .skip }
            return .yield(isOn)
        }
    }

    static var frequentPushesEnabled: Self {
        PhoneSequence { state in
            StreamStart(elements: state.rules.replaysSettings ? [state.frequentPushesEnabled] : [])
        } step: { event in
            guard case .frequentPushesEnabled(let isOn) = event else { return .skip }
            return .yield(isOn)
        }
    }
}

import EyotContract

/// What the app can follow. Every stream ends with the process; those of a card end when it goes from view, unless the
/// phone's rules say otherwise. They begin with what is there, unless the rules say otherwise.
/// A slow reader loses the oldest elements beyond ``SimulatedPhone/streamBufferLimit``.
extension PhoneProcess {
    /// The ids of the cards of a type: those in view, then new ones.
    public func cardIDs(ofType type: String) -> AsyncStream<String> {
        phone.stream(of: generation) { state in
            StreamStart(elements: state.rules.replaysCards ? state.cards(ofType: type).map(\.id) : [])
        } each: { event in
            guard case .cardAppeared(type, let card) = event else { return .skip }
            return .yield(card)
        }
    }

    /// A card's phase: the present one, then every change; the last is ``CardPhase/dismissed``.
    public func phases(ofCard id: String) -> AsyncStream<CardPhase> {
        let ends = phone.configuration.rules.cardStreamsEnd
        return phone.stream(of: generation) { state in
            let phase = state.card(id)?.phase ?? .dismissed
            return StreamStart(elements: [phase], isOver: ends && phase == .dismissed)
        } each: { event in
            guard case .phase(id, let phase) = event else { return .skip }
            return ends && phase == .dismissed ? .last(phase) : .yield(phase)
        }
    }

    /// A card's content: the present one, then every change.
    public func contents(ofCard id: String) -> AsyncStream<CardContent> {
        let ends = phone.configuration.rules.cardStreamsEnd
        return phone.stream(of: generation) { state in
            guard let card = state.card(id) else { return .over }
            return StreamStart(elements: [card.content], isOver: ends && card.phase == .dismissed)
        } each: { event in
            switch event {
            case .content(id, let content): .yield(content)
            case .phase(id, .dismissed) where ends: .finish
            default: .skip
            }
        }
    }

    /// A card's update token: the present one where there is one, then every new one.
    public func updateTokens(ofCard id: String) -> AsyncStream<PushToken> {
        let ends = phone.configuration.rules.cardStreamsEnd
        return phone.stream(of: generation) { state in
            guard let card = state.card(id) else { return .over }
            let replayed = state.rules.replaysUpdateToken ? card.updateToken : nil
            return StreamStart(elements: replayed.map { [$0] } ?? [], isOver: ends && card.phase == .dismissed)
        } each: { event in
            switch event {
            case .updateToken(id, let token): .yield(token)
            case .phase(id, .dismissed) where ends: .finish
            default: .skip
            }
        }
    }

    /// The push-to-start token: the present one unless the phone's rules say otherwise, then every new one.
    public func startTokens() -> AsyncStream<PushToken> {
        phone.stream(of: generation) { state in
            let replayed = state.rules.replaysStartToken ? state.startToken : nil
            return StreamStart(elements: replayed.map { [$0] } ?? [])
        } each: { event in
            guard case .startToken(let token) = event else { return .skip }
            return .yield(token)
        }
    }

    /// The switch for Live Activities: every change, and the present setting first where the phone's rules say so.
    public func activitiesEnabledChanges() -> AsyncStream<Bool> {
        phone.stream(of: generation) { state in
            StreamStart(elements: state.rules.replaysSettings ? [state.settings.activitiesEnabled] : [])
        } each: { event in
            guard case .activitiesEnabled(let isOn) = event else { return .skip }
            return .yield(isOn)
        }
    }

    /// The switch for frequent updates: every change, and the present setting first where the phone's rules say so.
    public func frequentPushesEnabledChanges() -> AsyncStream<Bool> {
        phone.stream(of: generation) { state in
            StreamStart(elements: state.rules.replaysSettings ? [state.frequentPushesEnabled] : [])
        } each: { event in
            guard case .frequentPushesEnabled(let isOn) = event else { return .skip }
            return .yield(isOn)
        }
    }
}

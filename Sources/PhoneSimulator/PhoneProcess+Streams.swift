import EyotContract

/// The streams that the app can follow. Each begins with the present values, unless the phone's rules say otherwise,
/// and ends with the process. A card's streams also end when it goes from view, unless the rules say otherwise. A slow
/// reader loses the oldest elements beyond ``SimulatedPhone/streamBufferLimit``.
extension PhoneProcess {
    /// The ids of the cards of a type: those in view, then new ones.
    public func cardIDs(ofType type: String) -> AsyncStream<String> { stream(.cardIDs(ofType: type)) }

    /// A card's phase: the present one, then every change; the last is ``CardPhase/dismissed``.
    public func phases(ofCard id: String) -> AsyncStream<CardPhase> { stream(.phases(ofCard: id, under: rules)) }

    /// A card's content: the present one, then every change.
    public func contents(ofCard id: String) -> AsyncStream<CardContent> { stream(.contents(ofCard: id, under: rules)) }

    /// A card's update token: the present one, if there is one, then every new one.
    public func updateTokens(ofCard id: String) -> AsyncStream<PushToken> {
        stream(.updateTokens(ofCard: id, under: rules))
    }

    /// The push-to-start token: the present one unless the phone's rules say otherwise, then every new one.
    public func startTokens() -> AsyncStream<PushToken> { stream(.startTokens) }

    /// The switch for Live Activities: every change, and first the present setting if the phone's rules say so.
    public func activitiesEnabledChanges() -> AsyncStream<Bool> { stream(.activitiesEnabled) }

    /// The switch for frequent updates: every change, and first the present setting if the phone's rules say so.
    public func frequentPushesEnabledChanges() -> AsyncStream<Bool> { stream(.frequentPushesEnabled) }

    private var rules: PhoneRules { phone.rules }

    private func stream<Element>(_ sequence: PhoneSequence<Element>) -> AsyncStream<Element> {
        phone.stream(of: generation, start: sequence.start, each: sequence.step)
    }
}

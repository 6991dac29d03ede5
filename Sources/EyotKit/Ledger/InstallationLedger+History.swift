import EyotContract

/// The history of the server's database (R17). When it changes, what the server confirmed counts for nothing, and the
/// SDK registers again and reports everything.
extension InstallationLedger {
    /// The history of the server that this phone is registered with; nil if none is known.
    var history: String? { state.registration?.history }

    /// Takes note of the history in an answer. Every answer has one, also an error.
    ///
    /// - Parameter asked: the ``history`` when the request was made. The answer to a request of before the latest
    ///   registration says nothing about the present.
    func heard(_ heard: String?, asked: String?) {
        guard let heard, let kept = state.registration, kept.history != heard, kept.history == asked else { return }
        // The server had no history before, or the SDK did not read it.
        guard kept.history != nil else {
            state.registration?.history = heard
            return save()
        }
        historyChanged()
    }

    /// Has the SDK register again, because the server knows less than it has confirmed.
    func historyChanged() {
        guard let kept = state.registration, !(kept.isInDoubt && kept.fingerprint.isEmpty) else { return }
        historyPace.change(at: clock.now())
        outdateRegistration()
        signal()
    }

    /// Records that the server has no history. A server of a former version refuses what only a later one knows.
    func forgetHistory() {
        state.registration?.history = nil
        save()
    }

    /// Whether the states in an answer may be applied. Those of a former history may not, after an answer of the
    /// present one.
    func isPresent(_ history: String?) -> Bool {
        guard let history, history != self.history else { return true }
        return !formerHistories.contains(history)
    }

    /// Keeps a history that has ended. The latest 16 are kept.
    func leave(_ history: String?, for next: String?) {
        guard let history, history != next else { return }
        formerHistories = (formerHistories.filter { $0 != history } + [history]).suffix(16)
    }

    /// Returns the changes that report everything that holds.
    ///
    /// - Parameter isInDoubt: whether the server may know something older. It then also has to hear what there is not.
    func everything(isInDoubt: Bool) -> [DeviceChange.Action] {
        var actions: [DeviceChange.Action] = []
        // A registration without a user says that the user is unknown.
        if isInDoubt, state.user == nil, !state.outbox.entries.contains(where: \.action.isAboutPerson) {
            actions.append(.logout)
        }
        if state.profile != DeviceProfile() || isInDoubt && state.hasToldProfile {
            actions.append(.profile(state.profile))
        }
        if isInDoubt { actions += state.endedStartTypes.map { .removeStartToken(type: $0) } }
        actions += state.startTokens.sorted { $0.key < $1.key }.map { .setStartToken(type: $0, token: $1.token) }
        if isInDoubt {
            let untracked = state.cards.values.filter { !$0.isTracked }.sorted { $0.firstSeen < $1.firstSeen }
            actions += untracked.map { .stopTracking($0.card) }
            for type in resumedTypes.sorted() {
                guard let instances = present[type]?() else { continue }
                actions.append(runningReport(of: type, instances))
            }
        }
        for following in followedCards {
            actions.append(following.card.sighting)
            guard isInDoubt, let shown = following.shown else { continue }
            actions.append(.cardEvent(following.card.card, .contentApplied, digest: shown))
        }
        return actions
    }
}

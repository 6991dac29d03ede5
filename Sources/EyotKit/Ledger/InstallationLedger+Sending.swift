import EyotContract
import Foundation

/// The next request, and the effects of its answer.
extension InstallationLedger {
    /// The next request.
    enum NextRequest: Sendable {
        case nothing
        /// A registration, with the secret of the former one if there was one, so that the device stays the same.
        case register(DeviceRegistration, secret: String?)
        case send(DeviceChangeBatch, secret: String)
        /// Nothing before these seconds have passed, because histories of the server alternate.
        case wait(seconds: Double)
        /// Nothing before the installation is on disk. Otherwise each launch would register another device.
        case unkept
    }

    /// Returns the secret that authenticates this device; nil before it is registered.
    ///
    /// An app may ask before the instance runs.
    func deviceSecret() -> String? { known.registration?.credentials.secret }

    /// Whether the sender has not tried since this urgent change.
    func isUntried(_ pressing: Int) -> Bool { pressing > pressings.tried }

    /// Decides the next request. A batch has at most `limit` changes.
    func nextRequest(
        limit: Int, configuration: EyotConfiguration, permissions: DevicePermissions
    ) -> NextRequest {
        hasSignalled = false
        pressings.tried = pressings.all
        guard !isOvertaken else { return .nothing }
        if !isKept { save() }
        guard isKept else { return .unkept }
        guard let registered = state.registration, registered.fingerprint == configuration.build.fingerprint else {
            let rest = historyPace.rest(at: clock.now())
            guard rest == 0 else { return .wait(seconds: rest) }
            return .register(
                configuration.registration(of: state, permissions: permissions),
                secret: state.registration?.credentials.secret)
        }
        let changes = state.outbox.batch(limit: min(limit, DeviceLimits.changesPerBatch))
        guard !changes.isEmpty else { return .nothing }
        let batch = DeviceChangeBatch(
            epoch: registered.credentials.epoch, changes: changes, joinSecrets: joinSecrets(for: changes),
            confirmed: registered.history == nil ? nil : registered.confirmed)
        return .send(batch, secret: registered.credentials.secret)
    }

    /// Records that the server has registered this installation. The server may know nothing else of it, so the whole
    /// present state is reported again under the new epoch.
    ///
    /// - Parameters:
    ///   - registration: what the server was told.
    ///   - history: the history in its answer; nil for none.
    func registered(
        _ answer: DeviceCredentials, for registration: DeviceRegistration, as build: Build, history: String?
    ) {
        // A refusal is kept beside the credentials.
        var credentials = answer
        credentials.identity = nil
        let former = state.registration
        let isAnother = former?.history.map { $0 != history } ?? false
        let isInDoubt = former?.isInDoubt == true || isAnother && history != nil
        leave(former?.history, for: history)
        state.registration = Registered(
            credentials: credentials, fingerprint: build.fingerprint, home: build.home, history: history)
        state.outbox.renumber()
        for (type, known) in state.startTokens {
            // The server waits until the phone shows a token under the new system.
            if known.isDoubtful(under: osVersion) {
                state.startTokens[type] = nil
                state.outbox.forgetStartToken(of: type)
            } else {
                state.startTokens[type] = StartTokenRecord(token: known.token, osVersion: known.osVersion ?? osVersion)
            }
        }
        for following in followedCards { doubt(following.card.instance) }
        if isInDoubt { state.forgetShown() }
        var dropped = 0
        for action in everything(isInDoubt: isInDoubt) { dropped += state.outbox.append(action) }
        if registration.user == state.user, answer.identity == nil { state.untold.remove(.person) }
        save()
        if dropped > 0 { report(.outboxFull(dropped: dropped)) }
        if let refusal = answer.identity { refused(refusal) }
        say(.registered(device: credentials.device))
    }

    /// Invalidates the registration. The next request registers again with the secret, which may still be valid.
    func outdateRegistration() {
        state.registration?.doubt()
        save()
    }

    /// Takes a new installation id, because another installation has the present one.
    func takeNewInstallation() {
        state.registration = nil
        state.formerRegistrations = []
        state.installation = KitState.fresh().installation
        save()
    }

    /// Whether a sequence was given by this outbox. If the end of a launch never reached the disk, the server knows
    /// higher sequences. A change with one of them would count as already applied.
    func hasGiven(_ sequence: Int) -> Bool { sequence <= state.outbox.lastSequence }

    /// Applies the server's answer to a batch.
    ///
    /// - Returns: whether the server applied any of the batch. Changes that were replaced meanwhile count too, although
    ///   they are no longer in the outbox.
    func answered(_ answer: DeviceAnswer, to batch: DeviceChangeBatch, history: String?) -> Bool {
        let taken = state.outbox.confirm(through: answer.applied)
        let confirmed = max(answer.applied, state.registration?.confirmed ?? 0)
        state.registration?.confirmed = confirmed
        let now = clock.now()
        for entry in taken { confirm(entry.action, now: now) }
        if !taken.isEmpty {
            save()
            say(.confirmed(changes: taken.count))
        }
        if isPresent(history) { pass(answer.cards, history: history) }
        if let refusal = answer.identity { refused(refusal) }
        return batch.changes.first.map { $0.sequence <= answer.applied } ?? false
    }

    private func confirm(_ action: DeviceChange.Action, now: Date) {
        // A refused user is marked again by the same answer.
        forgetRefusal(of: action)
        switch action {
        case .cardEvent(let card, _, let digest?):
            state.cards[card.instance]?.toldDigest = digest
            followed[card.instance]?.card.toldDigest = digest
        case .setStartToken(let type, let token) where state.startTokens[type]?.token == token:
            state.startTokens[type]?.confirmed = now
            say(.startToken(type: type, .confirmed))
        case .removeStartToken(let type) where state.startTokens[type] == nil:
            say(.startToken(type: type, .removalConfirmed))
        // If the card has another name now, the server has the token for the former one.
        case .setUpdateToken(let card, let token)
        where state.cards[card.instance]?.token == token && state.cards[card.instance]?.card == card:
            let isNews = state.cards[card.instance]?.isTokenConfirmed == false
            state.cards[card.instance]?.isTokenConfirmed = true
            followed[card.instance]?.card.isTokenConfirmed = true
            if isNews { say(.card(card, .tokenConfirmed)) }
        default: break
        }
    }
}

extension EyotConfiguration {
    func registration(of state: KitState, permissions: DevicePermissions) -> DeviceRegistration {
        DeviceRegistration(
            installation: state.installation, environment: environment, bundleID: bundleID,
            osVersion: capabilities.osVersion, appVersion: appVersion, sdkVersion: Self.sdkVersion,
            permissions: permissions, user: state.user, signature: state.signature, language: language)
    }
}

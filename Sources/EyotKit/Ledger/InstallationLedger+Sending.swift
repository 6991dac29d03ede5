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
    }

    /// Returns the secret that authenticates this device; nil before it is registered.
    ///
    /// An app may ask before the instance runs.
    func deviceSecret() -> String? {
        open()
        return state.registration?.credentials.secret
    }

    /// Whether the sender has not tried since this urgent change.
    func isUntried(_ pressing: Int) -> Bool { pressing > pressings.tried }

    /// Decides the next request. A batch has at most `limit` changes.
    func nextRequest(
        limit: Int, configuration: EyotConfiguration, permissions: DevicePermissions
    ) -> NextRequest {
        hasSignalled = false
        pressings.tried = pressings.all
        guard let registered = state.registration, registered.fingerprint == configuration.fingerprint else {
            return .register(
                configuration.registration(of: state, permissions: permissions),
                secret: state.registration?.credentials.secret)
        }
        let changes = state.outbox.batch(limit: min(limit, DeviceLimits.changesPerBatch))
        guard !changes.isEmpty else { return .nothing }
        let batch = DeviceChangeBatch(
            epoch: registered.credentials.epoch, changes: changes, joinSecrets: joinSecrets(for: changes))
        return .send(batch, secret: registered.credentials.secret)
    }

    /// Records that the server has registered this installation. The server may know nothing else of it, so the whole
    /// present state is reported again under the new epoch.
    func registered(_ answer: DeviceCredentials, fingerprint: String) {
        // A refusal is reported once and not kept.
        var credentials = answer
        credentials.identity = nil
        state.registration = Registered(credentials: credentials, fingerprint: fingerprint)
        state.outbox.renumber()
        var dropped = 0
        if state.profile != DeviceProfile() { dropped += state.outbox.append(.profile(state.profile)) }
        for (type, known) in state.startTokens.sorted(by: { $0.key < $1.key }) {
            // The server waits until the phone shows a token under the new system.
            if known.isDoubtful(under: osVersion) {
                state.startTokens[type] = nil
                state.outbox.forgetStartToken(of: type)
                continue
            }
            state.startTokens[type] = StartTokenRecord(token: known.token, osVersion: known.osVersion ?? osVersion)
            dropped += state.outbox.append(.setStartToken(type: type, token: known.token))
        }
        for following in followedCards {
            doubt(following.card.instance)
            dropped += state.outbox.append(following.card.sighting)
        }
        save()
        if dropped > 0 { report(.outboxFull(dropped: dropped)) }
        if let refusal = answer.identity { report(.identityRefused(user: refusal.user, reason: refusal.reason)) }
        say(.registered(device: credentials.device))
    }

    /// Invalidates the registration. The next request registers again with the secret, which may still be valid.
    func outdateRegistration() {
        state.registration?.fingerprint = ""
        save()
    }

    /// Takes a new installation id, because another installation has the present one.
    func takeNewInstallation() {
        state.registration = nil
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
    func answered(_ answer: DeviceAnswer, to batch: DeviceChangeBatch) -> Bool {
        let taken = state.outbox.confirm(through: answer.applied)
        let now = clock.now()
        for entry in taken { confirm(entry.action, now: now) }
        if !taken.isEmpty {
            save()
            say(.confirmed(changes: taken.count))
        }
        pass(answer.cards)
        if let refusal = answer.identity { report(.identityRefused(user: refusal.user, reason: refusal.reason)) }
        return batch.changes.first.map { $0.sequence <= answer.applied } ?? false
    }

    private func confirm(_ action: DeviceChange.Action, now: Date) {
        switch action {
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

    /// Drops a change that the server will never accept.
    func dropRefused(_ change: DeviceChange, status: Int, reason: String) {
        state.outbox.drop(sequence: change.sequence)
        save()
        let kind = change.json.object?["kind"]?.string ?? ""
        report(.changeRefused(kind: kind, of: change.action.subject, status: status, reason: reason))
    }
}

extension EyotConfiguration {
    /// The build and system as they were registered. If the value changes, the SDK registers again.
    var fingerprint: String {
        [bundleID, environment.rawValue, capabilities.osVersion, appVersion, Self.sdkVersion, language ?? ""]
            .joined(separator: "|")
    }

    func registration(of state: KitState, permissions: DevicePermissions) -> DeviceRegistration {
        DeviceRegistration(
            installation: state.installation, environment: environment, bundleID: bundleID,
            osVersion: capabilities.osVersion, appVersion: appVersion, sdkVersion: Self.sdkVersion,
            permissions: permissions, user: state.user, signature: state.signature, language: language)
    }
}

import EyotCommands
import EyotContract
import EyotDomain

/// Routes that devices call; see ``DeviceRoute``.
struct DevicePlane {
    let backend: Backend
    let gate: CallGate

    var routes: [Route] {
        var registering = Route.device(.register, .appKey, register)
        registering.admit = admit
        return [
            registering,
            .device(.changes, .deviceSecret, changes),
            .device(.channel, .deviceSecret, channel),
            .device(.card, .deviceSecret, card),
        ]
    }

    /// Counts a registration before its body is read, because the app's key is public.
    private func admit(_ call: Call) async throws -> Device? {
        guard let device = try await provenDevice(call) else {
            try await countRegistration(call)
            return nil
        }
        // A known device counts for itself, so that a stadium behind one address can register.
        try await gate.take(device.id, at: call.now)
        return device
    }

    private func countRegistration(_ call: Call) async throws {
        try await gate.takeRegistration(call.app.id, from: call.address, at: call.now)
    }

    private func register(_ call: Call) async throws -> Answer {
        let app = try call.app
        let json = try call.json()
        let registration = try read { () throws(JSONFieldError) in try DeviceRegistration(json: json) }
        let known = call.headers[.deviceSecret]
        // A secret registers its own installation without a count, but no other installation.
        if let device = call.registered, device.installation != registration.installation {
            try await countRegistration(call)
        }
        let identity = try await identities(registration, in: app.id, at: call.now)
        let fresh = Keyring.make(.deviceSecret)
        let quotas = backend.quotas
        let seen =
            call.registered != nil || quotas.devices == 0
            ? 0 : try await backend.store.look { try $0.usage(of: app.id).devices }
        let credentials = try await backend.store.write { ledger in
            try RegisterDevice(Transaction(ledger, at: call.now), quotas: quotas)(
                registration, of: app, known: known, fresh: fresh, seen: seen, identity: identity)
        }
        return Answer(credentials.epoch == 1 ? .created : .ok, credentials.json)
    }

    private var identities: CheckIdentities { CheckIdentities(store: backend.store, verifier: backend.identities) }

    /// Returns the device that registers again, if its secret proves it.
    private func provenDevice(_ call: Call) async throws -> Device? {
        let app = try call.app.id
        guard let secret = call.headers[.deviceSecret], Keyring.kind(of: secret) == .deviceSecret else { return nil }
        let device = try await backend.store.look { try $0.device(secret: Keyring.hash(of: secret)) }
        return device?.app == app ? device : nil
    }

    private func device(of call: Call) throws(EyotError) -> Device {
        guard case .device(let device) = call.credentials else {
            throw EyotError(.secretInvalid, "the device secret is not known")
        }
        return device
    }

    private func channel(_ call: Call) async throws -> Answer {
        let device = try device(of: call)
        let json = try call.json()
        let question = try read { () throws(JSONFieldError) in try ChannelQuestion(json: json) }
        let opened = try await opened(by: [question.name: question.joinSecret], of: device, call)
        let channel = try await backend.store.read {
            try FindChannel(Transaction($0, at: call.now), opened: opened)(question.name, for: device)
        }
        return Answer(.ok, ChannelAdvice(channel: channel.text).json)
    }

    private func card(_ call: Call) async throws -> Answer {
        let device = try device(of: call)
        let json = try call.json()
        let question = try read { () throws(JSONFieldError) in try CardQuestion(json: json) }
        let opened = try await opened(by: [question.name: question.joinSecret], of: device, call)
        let advice = try await backend.store.read {
            try FindCardState(Transaction($0, at: call.now), opened: opened)(question, for: device)
        }
        return Answer(.ok, advice.json)
    }

    private func changes(_ call: Call) async throws -> Answer {
        let device = try device(of: call)
        let json = try call.json()
        let batch = try read { () throws(JSONFieldError) in try DeviceChangeBatch(json: json) }
        let found = try await identities(batch.changes, in: device.app, at: call.now)
        let cards = Set(batch.changes.compactMap(\.action.card?.name))
        let opened = try await opened(by: batch.joinSecrets.filter { cards.contains($0.key) }, of: device, call)
        let answer = try await backend.registrations.apply(
            batch, of: device.id, in: device.app, at: call.now,
            proofs: ReportProofs(identities: found, opened: opened))
        return Answer(.ok, answer.json)
    }

    /// Returns the activities that join secrets open for a device. The secrets come by the names of their activities.
    private func opened(
        by secrets: [String: JoinSecret?], of device: Device, _ call: Call
    ) async throws -> Set<ActivityID> {
        let shown = secrets.compactMapValues(\.self)
        guard !shown.isEmpty else { return [] }
        let verdicts = try await backend.store.read {
            try CheckJoinSecrets(Transaction($0, at: call.now))(shown, of: device)
        }
        return try await gate.admit(verdicts, from: call.address, at: call.now)
    }

    private func read<Value>(_ body: () throws(JSONFieldError) -> Value) throws(EyotError) -> Value {
        do {
            return try body()
        } catch {
            throw EyotError(error)
        }
    }
}

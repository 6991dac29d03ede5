import APNSWire
import EyotContract
import Foundation

/// Repeats recorded actions.
extension RecordingPlayer {
    mutating func perform(_ action: RecordedAction, _ line: RecordedLine) {
        let now = line.moment
        switch action {
        case .launch(let run, let activitiesEnabled, let frequentPushesEnabled):
            begin(run, now: now)
            change(activitiesEnabled: activitiesEnabled, frequentPushesEnabled: frequentPushesEnabled, now: now)
        case .move(let run): run == .foreground ? phone.launch(now: now) : phone.moveToBackground(now: now)
        case .listen(let sequence): listen(to: sequence, at: now)
        case .request(let number, let request): self.request(request, number, now: now)
        case .update(let card, let content, let alerts, let timestamp):
            guard let id = simulated(card) else { return }
            phone.update(card: id, to: content, alerts: alerts, timestamp: timestamp, now: now)
        case .end(let card, let content, let dismissal, let timestamp):
            guard let id = simulated(card) else { return }
            phone.end(card: id, content: content, dismissal: dismissal, timestamp: timestamp, now: now)
        case .push(let push): replay.effects[line.number] = receive(push, now: now)
        case .person(let act): perform(act, now: now)
        }
    }

    private mutating func receive(_ push: RecordedPush, now: Date) -> PushEffect {
        let (body, bundleID) = (push.payload.utf8, phone.configuration.bundleID)
        let token: PushToken?
        switch push.destination {
        case .channel(let id):
            return phone.receive(
                DeliveredPush(
                    channel: id, keepsNewest: false, bundleID: bundleID, priority: push.priority,
                    expiration: push.expiration, payload: body), now: now)
        case .start: token = phone.startToken
        case .card(let card): token = simulated(card).flatMap { phone.card($0)?.updateToken }
        }
        guard let token else { return .ignored(.noSuchCard) }
        return phone.receive(
            DeliveredPush(
                token: token, topic: APNSPushType.liveActivity.topic(bundleID: bundleID), priority: push.priority,
                expiration: push.expiration, payload: body), now: now)
    }

    private mutating func perform(_ act: RecordedAct, now: Date) {
        switch act {
        case .dismiss(let card): if let id = simulated(card) { phone.dismiss(card: id, now: now) }
        case .allow: phone.pressAllow(now: now)
        case .lock: phone.lock(now: now)
        case .quit: phone.forceQuit(now: now)
        case .terminate: phone.terminateBySystem(now: now)
        case .reboot: phone.reboot(now: now)
        case .offline: phone.goOffline(now: now)
        case .online: phone.goOnline(now: now)
        }
    }

    private mutating func listen(to sequence: RecordedSequence, at now: Date) {
        let (rules, id) = (phone.rules, sequence.card.flatMap(simulated) ?? "")
        guard sequence.card == nil || !id.isEmpty else { return }
        switch sequence {
        case .cards(let type): add(sequence, .cardIDs(ofType: type), now) { .card(type: type, card: $0) }
        case .phases: add(.phases(card: id), .phases(ofCard: id, under: rules), now) { .phase(card: id, $0.rawValue) }
        case .contents: add(.contents(card: id), .contents(ofCard: id, under: rules), now) { .content(card: id, $0) }
        case .tokens:
            add(.tokens(card: id), .updateTokens(ofCard: id, under: rules), now) {
                .token(card: id, ShortenedToken($0))
            }
        case .startTokens(let type):
            guard phone.configuration.os >= .startTokens else { return }
            add(sequence, .startTokens, now) { .startToken(type: type, ShortenedToken($0)) }
        case .activitiesEnabled: add(sequence, .activitiesEnabled, now) { .activitiesEnabled($0) }
        case .frequentPushesEnabled: add(sequence, .frequentPushesEnabled, now) { .frequentPushesEnabled($0) }
        }
    }
}

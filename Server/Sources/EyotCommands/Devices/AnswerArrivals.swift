import EyotContract
import EyotDomain

/// Works out what phones that report a token are answered, where that can be said without setting it first. Reads, and
/// changes nothing; all within one snapshot.
package struct AnswerArrivals {
    /// A report that can go into the log, and its answer once it is there.
    package struct Answered: Sendable {
        package var arrival: Arrival
        package var answer: DeviceAnswer
    }

    /// What many cards share.
    private struct Common {
        var activity: Activity
        var isHalted: Bool
        var profile: TypeProfile
        var declaration: DeclarationReader
        var untold: UntoldMembers
    }

    private let ledger: any Ledger
    private let now: Instant
    private var common: [ActivityID: Common] = [:]

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// Nil where the report says more than that, or where its card has no clear place: then it is applied at once.
    package mutating func callAsFunction(_ batch: DeviceChangeBatch, of id: DeviceID) throws -> Answered? {
        guard let (card, token, sequence) = batch.soleToken, let device = try ledger.device(id),
            batch.epoch == device.epoch, let first = batch.changes.first, first.sequence > device.sequence,
            let place = try place(of: card, on: device), let common = try common(of: place, device),
            common.activity.name == card.name, place.isSparing == common.profile.spares(device)
        else { return nil }
        var arrival = Arrival(
            token, for: place, of: card, in: common.activity, from: device, sequence: sequence, at: now)
        // As it stands once it is merged.
        var replica = place
        _ = replica.set(arrival)
        let state = try CardAnswer(common.declaration, now: now)(&replica, card, in: common.activity)
        arrival.answerSecond = replica.newestSecond
        // What it is to show may be known only when it has been told.
        let isKept = try common.isHalted || isUntold(replica)
        let states = isKept ? [] : [state].compactMap(\.self)
        return Answered(arrival: arrival, answer: DeviceAnswer(applied: sequence, cards: states))
    }

    /// The replica that the card is, or the one place that a start has kept for it.
    private func place(of card: Card, on device: Device) throws -> Replica? {
        if let known = try ledger.replica(ofInstance: card.instance, on: device.id) {
            return [.live, .waitingForToken].contains(known.phase) ? known : nil
        }
        let replicas = try ledger.replicas(of: device.id, named: card.name, in: device.app)
        let outstanding = replicas.filter { $0.phase == .starting && $0.lease?.isOutstanding(at: now) == true }
        // One that may still leave is not left to the log: its card would come beside this one.
        guard let kept = outstanding.first, outstanding.count == 1, let state = kept.lease?.state,
            state == .accepted || state == .unknown,
            replicas.count(where: { $0.activity == kept.activity }) == 1
        else { return nil }
        return kept
    }

    private mutating func isUntold(_ replica: Replica) throws -> Bool {
        try common[replica.activity]?.untold.contains(replica.ordinal) ?? false
    }

    private mutating func common(of place: Replica, _ device: Device) throws -> Common? {
        if let known = common[place.activity] { return known }
        guard let activity = try ledger.activity(place.activity), let app = try ledger.app(device.app),
            activity.isEnded || !activity.isOver(at: now)
        else { return nil }
        let found = Common(
            activity: activity, isHalted: app.halt(of: activity) != nil,
            profile: try ProfileReader(ledger)(of: activity), declaration: DeclarationReader(ledger, of: activity.id),
            untold: try UntoldMembers(ledger, of: activity))
        common[activity.id] = found
        return found
    }
}

extension DeviceChangeBatch {
    /// The token, its card, and the last sequence, where the batch says that one card runs and has this token, and nothing
    /// beyond that.
    fileprivate var soleToken: (Card, PushToken, sequence: Int)? {
        var found: (Card, PushToken)?
        var cards: Set<Card> = []
        for change in changes {
            switch change.action {
            case .setUpdateToken(let card, let token):
                found = (card, token)
                cards.insert(card)
            case .cardSeen(let card), .cardEvent(let card, .started, _), .cardEvent(let card, .contentApplied, _):
                cards.insert(card)
            default: return nil
            }
        }
        guard let (card, token) = found, cards.count == 1, let last = changes.last else { return nil }
        return (card, token, last.sequence)
    }
}

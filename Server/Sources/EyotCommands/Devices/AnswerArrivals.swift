import EyotContract
import EyotDomain

/// Computes the answer to a report of one card, if the answer does not depend on applying the report first. It only
/// reads, and all its reads are of one snapshot.
package struct AnswerArrivals: UseCase {
    /// A report that can go into the log, with the answer to send when it is there.
    package struct Answered: Sendable {
        package var arrival: Arrival
        package var answer: DeviceAnswer
    }

    /// What all cards of one activity share.
    private final class Common {
        let activity: Activity
        let isHalted: Bool
        let profile: TypeProfile
        let declaration: DeclarationReader
        /// Whether a card without a token may follow a channel, which has to hear of it.
        let hasChannels: Bool
        var pending: PendingMembers

        init(_ activity: Activity, of app: App, _ ledger: any Ledger) throws {
            self.activity = activity
            isHalted = app.halt(of: activity) != nil
            profile = try ProfileReader(ledger)(of: activity)
            declaration = DeclarationReader(ledger, of: activity.id)
            hasChannels = try !ledger.channels(of: activity.id).isEmpty
            pending = try PendingMembers(ledger, of: activity)
        }
    }

    package let transaction: Transaction
    private var common: [ActivityID: Common] = [:]

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Returns the arrival and the answer. Nil if the report says more, or if its card has no clear place: such a
    /// report is applied at once.
    package mutating func callAsFunction(_ batch: DeviceChangeBatch, of id: DeviceID) throws -> Answered? {
        guard let (card, token, digest, sequence) = batch.soleCard, let (reporter, place) = try place(of: card, on: id),
            batch.epoch == reporter.epoch, let first = batch.changes.first, first.sequence > reporter.sequence,
            let common = try common(of: place, in: reporter.app), common.activity.name == card.name,
            token != nil || !common.hasChannels,
            place.isSparing == (!reporter.allowsFrequentPushes && common.profile.isSparing)
        else { return nil }
        var arrival = Arrival(
            token, for: place, of: card.instance, from: reporter, sequence: sequence, at: now)
        arrival.digest = digest
        // The replica as it will be after the merge.
        var replica = place
        _ = replica.set(arrival)
        let state = try CardAnswer(common.declaration, now: now)(&replica, card, in: common.activity)
        arrival.answerSecond = replica.newestSecond
        // The state of a pending replica is not known until it is processed.
        let isKept = try common.isHalted || common.pending.contains(replica.ordinal)
        let states = isKept ? [] : [state].compactMap(\.self)
        return Answered(arrival: arrival, answer: DeviceAnswer(applied: sequence, cards: states))
    }

    /// The phone and the card's place. One lookup finds both for a card in the ring, and nearly all cards are there.
    private func place(of card: Card, on id: DeviceID) throws -> (Reporter, Replica)? {
        if let card = try ledger.ringCard(ofInstance: card.instance, on: id) { return (card.reporter, card.replica) }
        guard let device = try ledger.device(id), let place = try place(of: card, on: device) else { return nil }
        return (Reporter(device), place)
    }

    /// The replica that the card is, or the only place that a start reserved for it.
    private func place(of card: Card, on device: Device) throws -> Replica? {
        if let known = try ledger.replica(ofInstance: card.instance, on: device.id) {
            return [.live, .waitingForToken].contains(known.phase) && !known.endsForOther ? known : nil
        }
        let replicas = try ledger.replicas(of: device.id, named: card.name, in: device.app)
        let outstanding = replicas.filter { $0.phase == .starting && $0.lease?.isOutstanding(at: now) == true }
        // A start that may still leave cannot use the log, because its card would appear beside this one. With a newer
        // generation on the phone the card may be that one's (``Placement``).
        guard let kept = outstanding.first, outstanding.count == 1, let state = kept.lease?.state,
            replicas.first?.activity == kept.activity, !kept.hasFormerPerson(on: device),
            state == .accepted || state == .unknown, !kept.endsForOther,
            replicas.count(where: { $0.activity == kept.activity }) == 1
        else { return nil }
        return kept
    }

    private mutating func common(of place: Replica, in app: AppID) throws -> Common? {
        if let known = common[place.activity] { return known }
        guard let activity = try ledger.activity(place.activity), let app = try ledger.app(app),
            activity.isEnded || !activity.isOver(at: now)
        else { return nil }
        let found = try Common(activity, of: app, ledger)
        common[activity.id] = found
        return found
    }
}

extension DeviceChangeBatch {
    /// The card, its token, what it showed last and the last sequence, if the batch says only that one card runs, and
    /// perhaps has this token and shows this state.
    fileprivate var soleCard: (Card, PushToken?, StateDigest?, sequence: Int)? {
        var (sole, newest, shown, isSeen): (Card?, PushToken?, StateDigest?, Bool) = (nil, nil, nil, false)
        for change in changes {
            let reported: Card
            switch change.action {
            case .setUpdateToken(let card, let token): (reported, newest) = (card, token)
            case .cardSeen(let card): (reported, isSeen) = (card, true)
            case .cardEvent(let card, .started, let digest), .cardEvent(let card, .contentApplied, let digest):
                (reported, shown) = (card, digest ?? shown)
            default: return nil
            }
            guard sole == nil || sole == reported else { return nil }
            sole = reported
        }
        guard let sole, newest != nil || isSeen, let last = changes.last else { return nil }
        return (sole, newest, shown, last.sequence)
    }
}

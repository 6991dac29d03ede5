import APNSWire
import EyotDomain
import Foundation
import PhoneSimulator

/// Checks of channels and of the cards that follow them.
extension SimulationOracle {
    /// The longest time between two broadcasts of an end, in seconds, and the time for an answer.
    private static let longestEndGap = 3_600.0 + 100
    /// The longest time until a failed request is tried again, in seconds.
    private static let longestPause = 900.0 + 100

    func judgeChannels() throws {
        let channels = try simulation.ledger.channels(
            in: simulation.app, after: ChannelID(rawValue: 0), limit: .max)
        let known = Set(channels.compactMap(\.apple))
        let apple = simulation.appleChannels
        for id in apple.ids.subtracting(apple.unnoted).subtracting(known).sorted(by: { $0.text < $1.text }) {
            violate("R11: Apple has the channel \(id), and the store does not know of it")
        }
        for channel in channels where channel.phase == .leased {
            try judgeEnds(of: channel)
            try judgeRepeats(of: channel)
        }
    }

    /// R1: a broadcast during starts is repeated when they have left, and when Apple keeps none of them any longer. The
    /// content of phones cannot show this, because most of their apps run and get answers.
    private func judgeRepeats(of channel: Channel) throws {
        guard let activity = try simulation.ledger.activity(channel.activity), !activity.isEnded,
            let last = channel.apple.flatMap({ simulation.appleChannels.last[$0] })
        else { return }
        // Starts of one second count as one.
        let slack = 1 + simulation.skew
        let starts = (simulation.record.channelStarts[activity.id] ?? [:]).sorted { $0.key < $1.key }
        for (version, left) in starts where version != activity.common.state {
            let since = simulation.time.seconds(since: left)
            let isMissed = [Channel.startLead, Channel.startReach].contains { wait in
                since > wait + Self.longestPause && last.seconds(since: left) < wait - slack
            }
            guard isMissed else { continue }
            violate("R1: starts of \(activity.name) with \(version) may have missed \(activity.common.state)")
        }
    }

    /// R5: an end is broadcast again until the last possible start is void.
    private func judgeEnds(of channel: Channel) throws {
        guard let endedAt = try simulation.ledger.activity(channel.activity)?.endedAt else { return }
        let since = simulation.time.seconds(since: endedAt)
        guard since > 120, since < Channel.endReach else { return }
        let last = simulation.record.broadcastEnds[channel.activity].map { simulation.time.seconds(since: $0) }
        if last.map({ $0 > Self.longestEndGap }) ?? true {
            violate("R5: the end of activity \(channel.activity.rawValue) is not broadcast any more")
        }
    }

    /// R1: a card that follows a channel shows the newest state for everyone. R5: it does not run after that has ended.
    func judgeFollower(_ card: SimulatedCard, _ replica: Replica, in activity: Activity, on index: Int) throws {
        let phone = simulation.phones[index]
        let label = "phone-\(index + 1) \(activity.name) \(activity.generation), following,"
        let generation = SimulationRecord.Generation(name: activity.name, number: activity.generation)
        // An app may ask for a channel in one generation and start the card in the next. The card ends with the first.
        guard let text = card.updates.channel, simulation.record.follows[card.id] == generation else { return }
        let channel = try simulation.ledger.channels(of: activity.id).first { $0.apple?.text == text }
        guard let channel else {
            // Apple has lost it. The card is known to be cut off, and counts as behind.
            if replica.isFollowing, replica.phase == .waitingForToken {
                violate("R1: \(label) has a lost channel, and nothing says so")
            }
            return
        }
        guard channel.phase == .leased else {
            if channel.reason == nil { violate("R1: \(label) has lost its channel, and nobody says why") }
            return
        }
        // A phone without a launch of its app gets only broadcasts, from the moment when it was online.
        let heard = channel.apple.flatMap { simulation.appleChannels.last[$0] }
        if phone.isQuiet, heard.map({ $0 < phone.onlineSince }) ?? true { return }
        let concern = try concern(for: replica, in: activity)
        let newest = try simulation.ledger.newestActivity(named: activity.name, in: simulation.app)
        if newest?.id != activity.id || concern.common.contains(where: \.isEnd) {
            if isPassedOver(.end, on: text, by: phone) { return }
            return violate("R5: \(label) still runs")
        }
        if !phone.isQuiet, concern.end != nil || replica.ending != nil { return violate("R5: \(label) still runs") }
        guard let expected = concern.common.last(where: { !$0.isEnd }) else { return }
        if channel.accepted == expected.version, channel.reason != nil { return }
        if channel.accepted != expected.version { violate("R1: \(label) was last broadcast \(channel.accepted)") }
        let shown = card.content.state.object?["n"]?.integer
        // The card's own state came with its start or an answer. Only a later broadcast replaces it.
        let isOwn = concern.own.contains { $0.state == shown }
        if shown != expected.state, phone.isQuiet ? !isOwn : shown != concern.newest()?.state,
            !isPassedOver(.update, on: text, by: phone)
        {
            violate("R1: \(label) shows \(shown ?? -1), not \(expected.state ?? -1)")
        }
    }

    /// Whether the last broadcast reached a phone with a spent budget, of which no server learns. A broadcast that came
    /// after a newer one does not count.
    private func isPassedOver(_ event: LiveActivityEvent, on channel: String, by phone: SimulationPhone) -> Bool {
        let last = phone.state.pushes.entries.last {
            $0.push.channel == channel && $0.effect.reason != .olderTimestamp
        }
        return last?.event == event && last?.effect.reason == .budgetSpent
    }
}

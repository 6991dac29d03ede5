import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import Foundation
import PhoneSimulator

/// Broadcasts from the server to the cards that follow, and cards that begin to follow.
extension Simulation {
    /// Sends a broadcast.
    ///
    /// - Returns: its verdict and the second of its stamp; 0 if it did not leave.
    func broadcast(_ page: PushPage, of channel: Channel, _ fate: Fate) throws -> (PushVerdict, stamp: Int) {
        if case .notProcessed = fate { return (.notProcessed, 0) }
        let second = now.second
        guard mayLeave(page, in: second), let id = channel.apple else { return (.notProcessed, 0) }
        let template = page.template(at: 0)
        let body = template.body(timestamp: second)
        try judgeBroadcast(body, at: second, of: channel, on: id)
        appleChannels.noteSent(on: id, at: time)
        return (arrive(body, template, on: id, fate), second)
    }

    private func arrive(
        _ body: [UInt8], _ template: PushTemplate, on id: APNSChannelID, _ fate: Fate
    ) -> PushVerdict {
        switch fate {
        case .lost: return .unknown
        case .refused(let reason):
            // A refusal of Apple about a channel is true, so the channel is gone.
            if reason == .channelNotRegistered { _ = appleChannels.remove(id) }
            return .refused(reason)
        case .answerLost:
            _ = deliver(body, template, on: id)
            return .unknown
        case .apple, .notProcessed: return deliver(body, template, on: id)
        }
    }

    private func deliver(_ body: [UInt8], _ template: PushTemplate, on id: APNSChannelID) -> PushVerdict {
        guard appleChannels.ids.contains(id) else { return .refused(.channelNotRegistered) }
        let push = DeliveredPush(
            channel: id.text, keepsNewest: true, bundleID: template.topic, priority: template.priority,
            expiration: template.expiration, payload: body)
        for index in phones.indices {
            let followers = phones[index].state.cards.filter { $0.updates.channel == id.text }
            guard !followers.isEmpty else { continue }
            let effect = phones[index].state.receive(push, now: time.date)
            noteHidden(followers.filter(\.phase.isRunning).map(\.id), on: index)
            record.note(
                "phone-\(index + 1) hears \(effect.word) \(effect.reason?.code ?? "") "
                    + String(decoding: body, as: UTF8.self))
            absorbEvents(of: index)
        }
        return .accepted
    }

    /// Records cards that keep the content of an answer when an end of the same second arrives.
    private func noteHidden(_ cards: [String], on index: Int) {
        for card in cards where phones[index].state.card(card)?.phase.isRunning != true {
            if record.answered[card].map({ $0 >= Double(now.second) }) ?? false { record.hidden.insert(card) }
        }
    }

    // MARK: Rules that show when a broadcast leaves

    private func judgeBroadcast(
        _ body: [UInt8], at second: Int, of channel: Channel, on id: APNSChannelID
    ) throws {
        // A channel belongs to its activity's shard, and rests for hours before it has another one.
        let shard = shard(of: channel.activity)
        let epoch = node.epoch(of: shard)
        judgeSecond(second, of: "\(id.text) in shard \(shard)", in: epoch)
        let words = try JSONValue(parsing: body).object?["aps"]?.object?["alert"]?.object?["body"]?.string
        // A stalled node may repeat a broadcast of its successor, with an earlier second.
        if let version = words.flatMap({ Int($0) }), record.alerts.contains(channel.alertKey(version)),
            try !isOvertaken(epoch, of: shard)
        {
            record.violate("R4: alert \(version) is broadcast twice")
        }
        guard let owner = try generation(of: channel.activity) else { return }
        for (index, phone) in phones.enumerated() {
            for card in phone.state.cards where card.phase.isRunning && card.updates.channel == id.text {
                guard let own = record.follows[card.id], own != owner else { continue }
                record.violate(
                    "R12: what is broadcast of \(owner.name) \(owner.number) reaches a card of \(own.name) \(own.number) "
                        + "on phone-\(index + 1)")
            }
        }
    }

    private func generation(of id: ActivityID) throws -> SimulationRecord.Generation? {
        try ledger.activity(id).map { SimulationRecord.Generation(name: $0.name, number: $0.generation) }
    }

    // MARK: Cards that begin to follow

    /// Records the channel of a card that a start has made.
    func noteFollower(_ card: String, on index: Int) throws {
        guard let text = phones[index].state.card(card)?.updates.channel,
            let channel = try ledger.channels(in: app, after: ChannelID(rawValue: 0), limit: .max)
                .first(where: { $0.apple?.text == text })
        else { return }
        record.follows[card] = try generation(of: channel.activity)
    }

    /// Records starts that are about to leave with a channel for their cards.
    func noteChannelStarts(_ taken: TakenPages) throws {
        for page in taken.pages {
            for run in page.runs {
                guard let activity = try ledger.activity(run.activity) else { continue }
                for sent in page.sent[run.slots] where sent.push.event == .start {
                    guard try ledger.replica(sent.ordinal, of: run.activity)?.isFollowing == true else { continue }
                    record.channelStarts[run.activity, default: [:]][activity.common.state] = time
                }
            }
        }
    }

    /// Asks for the channel of a name, as an app does before it starts a card.
    func question(_ name: String, from index: Int) throws {
        var advice: (APNSChannelID, SimulationRecord.Generation)?
        try read {
            guard let device = try ledger.device(phones[index].device),
                let activity = try ledger.newestActivity(named: name, in: app)
            else { return }
            do {
                let channel = try FindChannel(Transaction(ledger, at: now))(name, for: device)
                advice = (channel, .init(name: name, number: activity.generation))
            } catch is EyotError {
                // It has no channel, so the card asks for a token.
            }
        }
        node.pending.append(.advice(phone: index, name: name, advice?.0, advice?.1))
    }

    func startLocally(
        _ name: String, on index: Int, following channel: APNSChannelID?, of generation: SimulationRecord.Generation?
    ) {
        let request = CardRequest(
            type: Self.type, attributes: ["eyotActivityName": .string(name)],
            content: CardContent(state: ["n": 0]), updates: channel.map { .channel($0.text) } ?? .token)
        // The request fails if the app is in the background, and nothing happens then.
        guard let id = try? phones[index].state.request(request, now: time.date) else { return }
        record.follows[id] = generation
        record.note("phone-\(index + 1) starts \(name) itself: \(id)\(channel.map { ", following \($0)" } ?? "")")
        absorbEvents(of: index)
    }
}

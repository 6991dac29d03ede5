import EyotCommands
import EyotContract
import EyotDomain
import EyotVendors
import Synchronization
import Testing

@testable import EyotServer

/// A worker against receivers on this machine that behave badly.
@Suite("Webhooks: deliveries", .timeLimit(.minutes(10)))
struct WebhookWorkerTests {
    @Test func `Each wanted event arrives once, signed, with its data`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run { receiver in
                let secret = WebhookSecret.make(.v1)
                let early = try await rig.event(1)
                let hook = try await rig.webhook(to: receiver.url, ["card.*"], secret)
                let wanted = [try await rig.event(1), try await rig.event(2, .cardDismissed), try await rig.event(nil)]
                try await rig.event(1, .activityDeclared)
                await rig.worker().runOnce()
                await rig.worker().runOnce()
                let messages = receiver.messages.sorted { $0.id < $1.id }
                #expect(messages.compactMap(\.event) == wanted.map(String.init) && early < wanted[0])
                let first = try #require(messages.first)
                #expect(first.id == hook.messageID(of: wanted[0]) && first.path == "/hook")
                #expect(first.json?.object?["type"] == "card.appeared" && first.data?["type"] == "card.appeared")
                #expect(first.json?.object?["timestamp"] == first.data?["at"] && first.data?["version"] == 3)
                #expect(first.headers["content-type"] == "application/json")
                let timestamp = try #require(first.headers["webhook-timestamp"])
                #expect(
                    try first.headers["webhook-signature"]
                        == secret.signature(id: first.id, timestamp: timestamp, body: first.body))
                #expect(try await rig.deliveries(to: hook).isEmpty)
                #expect(try await rig.stored(hook).cursor == wanted[2] + 1)
            }
        }
    }

    @Test func `What Apple accepted is one message for the cards of a page, also in the form of a vendor`() async throws
    {
        try await WebhookRig.run { rig in
            try await Receiver.run { receiver in
                let (store, now) = (rig.store, rig.clock.now)
                let rows = try await AcceptedRows(3, of: rig.app, in: store, at: now)
                try await rows.record(.start, 1, in: store, at: now)
                let braze = try #require(Vendors.all.first { $0.name == "braze" }?.events)
                _ = try await rig.webhook(to: receiver.url + "/own", ["push.accepted"])
                _ = try await rig.webhook(
                    to: receiver.url + "/braze", nil, as: .init(vendor: "braze", kinds: braze.kinds))
                let netmera = try #require(Vendors.all.first { $0.name == "netmera" }?.events)
                _ = try await rig.webhook(
                    to: receiver.url + "/netmera", nil, as: .init(vendor: "netmera", kinds: netmera.kinds))
                try await rows.record(.update, 2, in: store, at: now)
                try await rows.record(.end, 3, in: store, at: now)
                for _ in 0..<2 { await rig.worker().runOnce() }
                func bodies(_ path: String) -> [JSONObject] {
                    receiver.messages.filter { $0.path.hasSuffix(path) }.compactMap { $0.json?.object }
                }
                let own = bodies("/own")
                #expect(own.count == 2 && own.allSatisfy { $0["type"] == "push.accepted" })
                #expect(
                    own.first?["data"]?.object?["events"]?.array?.map { $0.object?["user"] }
                        == ["user-1", "user-2", "user-3"])
                let outcomes = bodies("/braze").flatMap { $0["events"]?.array ?? [] }.compactMap(\.object)
                    .filter { $0["event_type"] == "users.messages.liveactivity.Outcome" }
                #expect(outcomes.count == 6 && bodies("/braze").count == 2)
                // An update is no event of Netmera's, so nothing is posted about it.
                let closes = bodies("/netmera").flatMap { $0["events"]?.array ?? [] }.compactMap(\.object)
                #expect(bodies("/netmera").count == 1 && closes.map { $0["eventCode"] } == ["n:lac", "n:lac", "n:lac"])
                for hook in try await store.read({ try $0.webhooks(of: rig.app) }) {
                    #expect(try await rig.deliveries(to: hook).isEmpty)
                }
            }
        }
    }

    @Test func `Whatever a receiver does, nothing is lost, and each activity's events arrive in order`() async throws {
        try await WebhookRig.run(limit: .seconds(5)) { rig in
            let taken = Mutex<[String]>([])
            let tries = Mutex<[Int: Int]>([:])
            try await Receiver.run { receiver in
                receiver.react { message, _ in
                    let reactions: [Receiver.Reaction] = [
                        .close, .status(204), .status(500), .status(302, location: "/other"), .drip, .hang,
                        .status(429), .status(200),
                    ]
                    // Each message begins with another reaction and comes to all of them, long before it is given up.
                    let event = message.event.flatMap { Int($0) } ?? 0
                    let number = tries.withLock { tries in
                        tries[event, default: event] += 1
                        return tries[event, default: event]
                    }
                    let reaction = reactions[number % reactions.count]
                    switch reaction {
                    case .status(200..<300, _), .drip: taken.withLock { $0.append(message.event ?? "") }
                    default: break
                    }
                    return reaction
                }
                let hook = try await rig.webhook(to: receiver.url)
                var events: [Int64: [String]] = [:]
                for number in 0..<24 {
                    let activity = Int64(number % 3)
                    events[activity, default: []].append(String(try await rig.event(activity)))
                }
                let worker = rig.worker()
                for _ in 0..<200 {
                    await worker.runOnce()
                    if try await rig.deliveries(to: hook).isEmpty { break }
                    rig.clock.advance(3_600)
                }
                #expect(try await rig.deliveries(to: hook).isEmpty)
                // On a slow machine an answer may come too late, and the message comes again.
                var arrived: [String] = []
                for event in taken.withLock({ $0 }) where !arrived.contains(event) { arrived.append(event) }
                #expect(arrived.count == 24 && receiver.messages.allSatisfy { $0.path == "/hook" })
                for (activity, own) in events { #expect(arrived.filter(own.contains) == own, "\(activity)") }
                // All tries of an event are one message.
                let ids = Dictionary(grouping: receiver.messages, by: \.event).mapValues { Set($0.map(\.id)) }
                #expect(ids.count == 24 && ids.values.allSatisfy { $0.count == 1 })
            }
        }
    }

    @Test func `A receiver that hangs delays no other`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run({ _, _ in .hang }) { stuck in
                try await Receiver.run { fine in
                    _ = try await rig.webhook(to: stuck.url)
                    _ = try await rig.webhook(to: fine.url)
                    for activity in 1...40 as ClosedRange<Int64> { try await rig.event(activity) }
                    let worker = rig.worker()
                    await withTaskGroup(of: Void.self) { group in
                        group.addTask { try? await worker.run() }
                        try? await fine.until(40)
                        try? await stuck.until(WebhookWorker.posts)
                        group.cancelAll()
                    }
                    #expect(Set(fine.messages.map(\.event)).count == 40)
                    #expect(stuck.messages.count == WebhookWorker.posts)
                }
            }
        }
    }

    @Test func `After 410 a webhook is disabled, and once it is enabled nothing is missing`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run({ _, _ in .status(410) }) { receiver in
                let hook = try await rig.webhook(to: receiver.url)
                let first = try await rig.event(1)
                await rig.worker().runOnce()
                let disabled = try await rig.stored(hook).disabled
                #expect(disabled == .init(.gone, at: rig.clock.now))
                let second = try await rig.event(1)
                rig.clock.advance(86_400)
                await rig.worker().runOnce()
                #expect(receiver.messages.count == 1)
                receiver.react { _, _ in .status(200) }
                let (app, now) = (rig.app, rig.clock.now)
                _ = try await rig.store.write { try Webhooks(Transaction($0, at: now), app: app).enable(hook.id) }
                await rig.worker().runOnce()
                #expect(receiver.messages.compactMap(\.event) == [first, first, second].map(String.init))
            }
        }
    }

    @Test func `A second sender takes over what a cancelled one has begun, when its lease ends`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run({ _, _ in .hang }) { receiver in
                let hook = try await rig.webhook(to: receiver.url)
                let event = try await rig.event(1)
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await rig.worker().runOnce() }
                    try? await receiver.until(1)
                    group.cancelAll()
                }
                receiver.react { _, _ in .status(200) }
                let second = rig.worker()
                await second.runOnce()
                #expect(receiver.messages.count == 1)
                #expect(try await rig.deliveries(to: hook).count == 1)
                rig.clock.advance(WebhookDelivery.lease)
                await second.runOnce()
                #expect(receiver.messages.compactMap(\.event) == [event, event].map(String.init))
                #expect(Set(receiver.messages.map(\.id)).count == 1)
                #expect(try await rig.deliveries(to: hook).isEmpty)
            }
        }
    }

    @Test func `Two senders side by side post each event once`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run { receiver in
                let hook = try await rig.webhook(to: receiver.url)
                for number in 0..<120 { try await rig.event(Int64(number % 50)) }
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<3 { group.addTask { await rig.worker().runOnce() } }
                }
                await rig.worker().runOnce()
                #expect(receiver.messages.count == 120 && Set(receiver.messages.map(\.id)).count == 120)
                #expect(try await rig.deliveries(to: hook).isEmpty)
            }
        }
    }

    @Test func `A receiver that is down costs a limited number of rows, and gets everything when it is back`()
        async throws
    {
        try await WebhookRig.run { rig in
            try await Receiver.run({ _, _ in .status(503) }) { receiver in
                let hook = try await rig.webhook(to: receiver.url)
                let count = Webhook.pendingLimit + 150
                let (app, now) = (rig.app, rig.clock.now)
                try await rig.store.write { ledger in
                    for number in 0..<count {
                        try ledger.record(
                            Event(
                                app: app, at: now, Fact(.cardAppeared), activity: ActivityID(rawValue: Int64(number))))
                    }
                }
                let worker = rig.worker()
                // Each turn ends with the first failure.
                for _ in 0..<12 { await worker.runOnce() }
                #expect(try await rig.deliveries(to: hook).count == Webhook.pendingLimit)
                #expect(receiver.mostOpen <= WebhookWorker.posts)
                receiver.react { _, _ in .status(200) }
                rig.clock.advance(86_400)
                for _ in 0..<12 { await worker.runOnce() }
                #expect(try await rig.deliveries(to: hook).isEmpty)
                #expect(Set(receiver.messages.compactMap(\.event)).count == count)
            }
        }
    }

    @Test func `An event that is forgotten is not posted any more`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run({ _, _ in .status(500) }) { receiver in
                let hook = try await rig.webhook(to: receiver.url)
                try await rig.event(1)
                await rig.worker().runOnce()
                #expect(receiver.messages.count == 1)
                rig.clock.advance(10)
                let now = rig.clock.now
                _ = try await rig.store.write { try $0.removeEvents(before: now, limit: 9) }
                await rig.worker().runOnce()
                #expect(receiver.messages.count == 1)
                #expect(try await rig.deliveries(to: hook).isEmpty)
            }
        }
    }
}

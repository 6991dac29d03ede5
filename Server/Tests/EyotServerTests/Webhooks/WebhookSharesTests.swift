import Dispatch
import EyotCommands
import EyotDomain
import NIOCore
import Synchronization
import Testing
import WebhookSender

@testable import EyotServer

/// Apps with receivers and names that hang, beside one with a receiver that answers.
@Suite("Webhooks: shares of apps", .timeLimit(.minutes(10)))
struct WebhookSharesTests {
    /// A name service that is silent about some names until the test ends.
    private final class SilentService: Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let asked = Mutex<[String]>([])
        let address: SocketAddress

        init() throws { address = try SocketAddress(ipAddress: "127.0.0.1", port: 0) }

        var hosts: [String] { asked.withLock { $0 } }

        func resolve(_ host: String) throws -> [SocketAddress] {
            asked.withLock { $0.append(host) }
            if host.hasPrefix("slow") {
                gate.wait()
                gate.signal()
            }
            return [address]
        }

        /// Answers everything from now on.
        func open() { gate.signal() }

        func until(_ count: Int) async throws {
            while hosts.count < count {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func `Names that are not answered hold up their own app, also after its posts were given up`() async throws {
        let service = try SilentService()
        defer { service.open() }
        let client = WebhookClient(WebhookRig.loopback, limit: .hours(1)) { try service.resolve($0) }
        let message = try WebhookMessage(
            id: "msg_1", body: Array("{}".utf8), secrets: [.make(.v1)], at: Instant(second: 5))
        try await Receiver.run { receiver in
            func post(to host: String, of app: Int64) async throws -> WebhookAnswer {
                let url = try WebhookURL("http://\(host):\(receiver.port)/")
                return await client.post(message, to: url, of: AppID(rawValue: app))
            }
            func goods() async throws {
                #expect(try await post(to: "good.test", of: 99) == .status(204))
                #expect(try await post(to: "127.0.0.1", of: 99) == .status(204))
                // The app itself needs no name for an address.
                #expect(try await post(to: "127.1", of: 1) == .status(204))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for app in 1...4 as ClosedRange<Int64> {
                    for number in 0..<20 {
                        group.addTask { _ = try await post(to: "slow\(number).test", of: app) }
                    }
                }
                try await service.until(8)
                try await goods()
                group.cancelAll()
                while (try? await group.next()) != nil {}
            }
            // Their threads still hang. What nothing waits for is not looked up any more.
            try await goods()
            #expect(service.hosts.count { $0.hasPrefix("slow") } == 8)
        }
        await client.close()
    }

    @Test func `Posts of one app to a shared receiver leave connections to the others`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run { receiver in
                // The receiver of both apps is slow for one of them alone.
                receiver.react { message, _ in message.path == "/slow" ? .hang : .status(204) }
                let message = try WebhookMessage(
                    id: "msg_1", body: Array("{}".utf8), secrets: [.make(.v1)], at: Instant(second: 5))
                let slow = try WebhookURL("http://127.0.0.1:\(receiver.port)/slow")
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<64 {
                        group.addTask { _ = await rig.client.post(message, to: slow, of: AppID(rawValue: 1)) }
                    }
                    try? await receiver.until(8)
                    if let url = try? WebhookURL(receiver.url) {
                        #expect(await rig.client.post(message, to: url, of: AppID(rawValue: 2)) == .status(204))
                    }
                    group.cancelAll()
                }
            }
        }
    }

    @Test func `Receivers that hang, of several apps, leave turns to an app whose receiver answers`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run(Receiver.always(.hang)) { stuck in
                try await Receiver.run { fine in
                    for number in 0..<3 {
                        let hostile = try await rig.another("hostile\(number)")
                        for _ in 0..<Webhook.limit { _ = try await hostile.webhook(to: stuck.url) }
                        try await hostile.event(1)
                    }
                    let good = try await rig.another("good")
                    _ = try await good.webhook(to: fine.url)
                    for activity in 1...20 as ClosedRange<Int64> { try await good.event(activity) }
                    let worker = rig.worker()
                    await withTaskGroup(of: Void.self) { group in
                        group.addTask { try? await worker.run() }
                        try? await fine.until(20)
                        try? await stuck.until(3 * WebhookTurns.slowOfApp)
                        group.cancelAll()
                    }
                    #expect(Set(fine.messages.map(\.event)).count == 20)
                    #expect(stuck.messages.count == 3 * WebhookTurns.slowOfApp)
                }
            }
        }
    }

    @Test func `More webhooks than there are turns all have one`() async throws {
        try await WebhookRig.run { rig in
            try await Receiver.run { receiver in
                var count = 0
                for number in 0..<4 {
                    let app = try await rig.another("app\(number)")
                    for _ in 0..<Webhook.limit {
                        _ = try await app.webhook(to: receiver.url)
                        count += 1
                    }
                    try await app.event(1)
                }
                let (worker, all) = (rig.worker(), count)
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { try? await worker.run() }
                    while receiver.messages.count < all, !Task.isCancelled {
                        rig.clock.advance(1)
                        await Task.yield()
                    }
                    group.cancelAll()
                }
                #expect(Set(receiver.messages.map(\.id)).count == all)
            }
        }
    }
}

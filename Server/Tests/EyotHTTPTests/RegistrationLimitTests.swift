import EyotCommands
import EyotDomain
import EyotTestKit
import HTTPTypes
import NIOCore
import Testing

@testable import EyotHTTP

@Suite("The limit on registrations")
struct RegistrationLimitTests {
    private let app = AppID(rawValue: 1)
    private let start = Rig.start

    private func limited(_ perMinute: Int) -> RegistrationLimit {
        var limits = CallLimits()
        limits.registrationsPerMinute = perMinute
        return RegistrationLimit(limits)
    }

    private func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 50_000) }

    @Test func `An address has its minute's worth at once, and then as many as time brings`() async throws {
        let limit = limited(2)
        let phone = try address("203.0.113.7")
        #expect(await limit.take(app, from: phone, at: start) == nil)
        #expect(await limit.take(app, from: phone, at: start) == nil)
        #expect(await limit.take(app, from: phone, at: start) == 30)
        #expect(abs((await limit.take(app, from: phone, at: start + 10) ?? 0) - 20) < 0.001)
        #expect(await limit.take(app, from: phone, at: start + 31) == nil)
        // A clock that was set back gives nothing away.
        #expect(await limit.take(app, from: phone, at: start) != nil)
    }

    @Test func `Each app and each network is counted by itself`() async throws {
        let limit = limited(1)
        let home = try address("2001:db8:1:2::1")
        #expect(await limit.take(app, from: home, at: start) == nil)
        #expect(try await limit.take(app, from: address("2001:db8:1:2:ffff::9"), at: start) != nil)
        #expect(try await limit.take(app, from: address("2001:db8:1:3::1"), at: start) == nil)
        #expect(await limit.take(AppID(rawValue: 2), from: home, at: start) == nil)
    }

    @Test func `This machine has no limit, and neither has anybody where there is none`() async throws {
        let limit = limited(1)
        for text in ["127.0.0.1", "::1"] {
            for _ in 1...3 { #expect(try await limit.take(app, from: address(text), at: start) == nil) }
        }
        let none = limited(0)
        for _ in 1...3 { #expect(try await none.take(app, from: address("203.0.113.7"), at: start) == nil) }
    }

    @Test func `However many addresses come, so many are remembered and no more`() async throws {
        let limit = limited(1)
        for number in 0..<RegistrationLimit.sources + 10 {
            _ = try await limit.take(app, from: address("10.0.\(number / 250).\(number % 250)"), at: start)
        }
        #expect(limit.remembered == RegistrationLimit.sources)
        _ = try await limit.take(app, from: address("203.0.113.7"), at: start + 61)
        #expect(limit.remembered == 1)
    }

    @Test func `The call is answered with 429 and when to come again, before anything is written`() async throws {
        let store = MemoryStore()
        let app = try await store.write { ledger in
            try ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: Rig.start)
        }
        var limits = CallLimits()
        limits.registrationsPerMinute = 1
        let backend = Backend(
            store: store, clock: StandingClock(), sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in },
            limits: limits)
        let register = try #require(DevicePlane(backend: backend, gate: CallGate(limits)).routes.first)
        guard case .answer(let handle) = register.action, let admit = register.admit else {
            throw Problem(EyotError(.routeUnknown, ""))
        }
        // The limit is asked without a body.
        let call = { (installation: String?) throws in
            Call(
                method: .post, path: register.path, parameters: [:], query: [:], headers: [:], credentials: .app(app),
                address: try address("203.0.113.7"),
                body: Array(installation.map { Rig.registration($0) }?.utf8 ?? "".utf8), now: Rig.start)
        }
        #expect(try await admit(call(nil)) == nil)
        _ = try await handle(call("one"))
        let problem = await #expect(throws: Problem.self) { _ = try await admit(call(nil)) }
        #expect(problem?.error.code == .tooManyRegistrations)
        #expect(problem?.headers[.retryAfter] == "60")
    }
}

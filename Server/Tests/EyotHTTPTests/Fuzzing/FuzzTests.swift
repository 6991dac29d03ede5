import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import EyotVendors
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhoneSimulator
import Testing

@testable import EyotHTTP

/// Calls that are spoiled at random, each under a seed that says which they are.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `Whatever comes is answered` {
    private static let routes = AuthorisationTests.routes + `Who may call a vendor's API`.routes
    private static let table = RouteTable(routes)

    /// `FUZZ_SEEDS` makes it more of them, `FUZZ_FIRST` begins at another one.
    private static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["FUZZ_FIRST"].flatMap(UInt64.init) ?? 0
        return first..<first + (environment["FUZZ_SEEDS"].flatMap(UInt64.init) ?? 8)
    }()
    /// Calls under one seed.
    private static let calls = 120
    /// Seconds that no call takes, in a debug build and beside others.
    private static let patience = 10.0

    @Test func `Every route has calls to be spoiled`() {
        let titles = Set(FuzzedSeeds.all().map(\.title))
        #expect(Self.routes.map { "\($0.method.rawValue) \($0.path)" }.filter { !titles.contains($0) } == [])
    }

    /// Who makes the calls.
    private struct Callers {
        var seeds: [FuzzedSeeds.Seed]
        var vendors: [KeyPlane: VendorCaller]
        var phone: String
    }

    private func prepare(_ rig: Rig) async throws -> Callers {
        let phone = try await rig.phone("one", user: "anna", tags: ["fans"])
        try await rig.phone("two", user: "bert")
        #expect(try await rig.call(.post, "/v1/keys", #"{"name":"spare"}"#)["id"]?.string == "4")
        _ = try await rig.call(.patch, "/v1/users/anna", #"{"attributes":{"city":"Paris"}}"#)
        _ = try await rig.call(.put, "/v1/segments/s", #"{"audience":{"tag":"fans"}}"#)
        for name in ["final", "semi"] {
            #expect(try await rig.call(.post, "/v1/activities/\(name)/start", Body.start).status == 202)
        }
        _ = try await rig.changes(phone.secret, Rig.card(2, "card", token: "update"))
        var vendors: [KeyPlane: VendorCaller] = [:]
        for plane in Vendors.all.map(\.plane) {
            vendors[plane] = try await rig.caller(of: plane)
        }
        let registered = try await rig.post(
            "/api/v1/live-activity/register",
            #"{"activity_type":"Match","insider_ids":["anna"],"ends_at":"2022-12-18T17:00:00Z"}"#,
            by: try #require(vendors[.insider]), of: .insider)
        let seeds = FuzzedSeeds.all(
            brazeApp: vendors[.braze]?.identifier ?? "",
            activity: try #require(registered["activity_id"]?.string, "\(registered.text)"))
        return Callers(seeds: seeds, vendors: vendors, phone: phone.secret)
    }

    private func call(_ seed: FuzzedSeeds.Seed, by callers: Callers, _ rig: Rig) throws -> FuzzedCall {
        let method = try #require(HTTPRequest.Method(String(seed.title.prefix { $0 != " " })))
        var headers = callers.vendors[seed.plane]?.headers(seed.plane) ?? [:]
        if seed.plane == .eyot {
            let route = Self.routes.first { "\($0.method.rawValue) \($0.path)" == seed.title }
            switch route?.access {
            case .appKey: headers["Authorization"] = "Bearer \(rig.match.app)"
            case .deviceSecret: headers["Authorization"] = "Bearer \(callers.phone)"
            case .scopedOperatorKey: headers["Authorization"] = "Bearer \(rig.operatorKey)"
            case .scopedKey, .anybody, nil: headers["Authorization"] = "Bearer \(rig.match.api)"
            }
        }
        if seed.body != nil { headers["Content-Type"] = seed.type }
        return FuzzedCall(
            method: method, path: seed.path, bytes: seed.body.map { Array($0.utf8) },
            headers: headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    private func perform(_ call: FuzzedCall, _ rig: Rig) async throws -> Reply {
        var fields = HTTPFields()
        for (name, value) in call.headers {
            fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        let response = try await rig.client.executeRequest(
            uri: call.path, method: call.method, headers: fields, body: call.bytes.map { ByteBuffer(bytes: $0) })
        let bytes = Array(response.body.readableBytesView)
        return Reply(
            status: response.status.code, headers: response.headers, text: String(decoding: bytes, as: UTF8.self),
            json: try? JSONValue(parsing: bytes))
    }

    @Test(arguments: seeds)
    func
        `No call crashes, hangs or fails inside, and what is refused is told in its plane's words and has changed nothing`(
            seed: UInt64
        ) async throws
    {
        try await Rig.run { rig in
            let callers = try await prepare(rig)
            let planes = Dictionary(grouping: callers.seeds, by: \.plane)
            var random = SeededGenerator(seed: seed, name: "calls")
            for number in 0..<Self.calls {
                // Ours has most routes, and each vendor's as many calls.
                let plane = ([.eyot] + Vendors.all.map(\.plane)).pick(using: &random)
                var call = try call(try #require(planes[plane]).pick(using: &random), by: callers, rig)
                call.spoil(using: &random)
                let commits = await rig.store.commits
                let began = ContinuousClock.now
                let reply = try await perform(call, rig)
                #expect(began.duration(to: .now) < .seconds(Self.patience), "\(seed).\(number): \(call)")
                #expect(reply.status < 500, "\(seed).\(number): \(reply.status) \(reply.text): \(call)")
                guard reply.status >= 400 else { continue }
                // What was to be removed and is not there was looked for in a transaction that has written nothing.
                let isAbsence = call.method == .delete && reply.status == 404
                let hasChanged = await rig.store.commits != commits && !isAbsence
                #expect(!hasChanged, "\(seed).\(number): \(reply.status) \(reply.text): \(call)")
                let path = call.path.prefix { $0 != "?" }
                let fault = FuzzedShapes.fault(
                    in: reply, of: Self.table.plane(of: path).keys, path: call.path, hasBody: call.method != .head)
                #expect(fault == nil, "\(seed).\(number): \(reply.status) \(reply.text): \(call)")
            }
        }
    }
}

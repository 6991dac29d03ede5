import EyotContract
import EyotDomain
import EyotTestKit
import EyotVendors
import Foundation
import HTTPTypes
import PhoneSimulator
import Testing

@testable import EyotHTTP

/// Calls that are spoiled at random, each under a seed that says which they are.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `Whatever comes is answered` {
    private static let table = RouteTable(FuzzedCallers.routes)

    /// `FUZZ_SEEDS` makes it more of them, `FUZZ_FIRST` begins at another one.
    private static let seeds: Range<UInt64> = {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["FUZZ_FIRST"].flatMap(UInt64.init) ?? 0
        return first..<first + (environment["FUZZ_SEEDS"].flatMap(UInt64.init) ?? 8)
    }()
    /// Calls under one seed.
    private static let calls = 120
    /// Seconds that no call takes, in a debug build and beside others.
    private static let patience = 30.0

    @Test func `Every route has calls to be spoiled`() {
        let titles = Set(FuzzedSeeds.all().map(\.title))
        #expect(FuzzedCallers.routes.map { "\($0.method.rawValue) \($0.path)" }.filter { !titles.contains($0) } == [])
    }

    @Test(arguments: seeds)
    func
        `No call crashes, hangs or fails inside, and what is refused is told in its plane's words and has changed nothing`(
            seed: UInt64
        ) async throws
    {
        try await Rig.run { rig in
            let callers = try await FuzzedCallers(in: rig)
            let planes = Dictionary(grouping: callers.seeds, by: \.plane)
            var random = SeededGenerator(seed: seed, name: "calls")
            for number in 0..<Self.calls {
                // Ours has most routes, and each vendor's as many calls.
                let plane = ([.eyot] + Vendors.all.map(\.plane)).pick(using: &random)
                var call = try callers.call(#require(planes[plane]).pick(using: &random), rig)
                call.spoil(using: &random)
                let commits = await rig.store.commits
                let began = ContinuousClock.now
                let reply = try await call.perform(rig)
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

import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotKit

@Suite("A torn file and a full disk", .timeLimit(.minutes(10)))
struct DiskTests {
    private let rig = Rig()

    private var file: URL { rig.directory.appendingPathComponent("eyot.jsonl") }

    /// A launch after which berta is known, with a tag, a type and a card.
    private func berta() async throws {
        try await rig.launch { eyot in
            eyot.identify("berta", signature: "head.payload.signature")
            eyot.addTags(["fan"])
            eyot.follow(MatchAttributes.self)
            let instance = try rig.request("final").id
            await rig.server.wait { $0.startable == ["MatchAttributes"] }
            await rig.server.wait { $0.actions.contains { $0.updateToken?.instance == instance } }
        }
    }

    /// Lets no second file be written, as if the disk were full.
    private func fillDisk() throws {
        try FileManager.default.createDirectory(
            at: rig.directory.appendingPathComponent("eyot.new.jsonl"), withIntermediateDirectories: true)
    }

    private func freeDisk() throws {
        try FileManager.default.removeItem(at: rig.directory.appendingPathComponent("eyot.new.jsonl"))
    }

    /// The file's text up to its last line, and a line of it.
    private func lines() throws -> [Data] {
        try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { Data($0) }
    }

    // MARK: A torn file

    @Test(arguments: ["end", "head", "registration", "zeros", "profile"])
    func `a torn line costs that line, and not the person`(torn: String) async throws {
        try await berta()
        var lines = try lines()
        switch torn {
        case "end": lines[lines.count - 1] = Data(lines[lines.count - 1].dropLast(5))
        case "head": lines[0] = Data("{\"kind\":\"ey".utf8)
        case "registration": lines[1] = Data(lines[1].dropFirst(9))
        case "zeros": lines[0] = Data(count: lines[0].count)
        default: lines.removeAll { String(decoding: $0, as: UTF8.self).contains("\"kind\":\"profile\"") }
        }
        let damaged = Data(lines.joined(separator: [UInt8(ascii: "\n")]))
        try damaged.write(to: file)
        if torn == "profile" {
            // A file that ends at the end of a line.
            try Data(lines.dropLast(2).joined(separator: [UInt8(ascii: "\n")])).write(to: file)
        }
        let before = await rig.server.books.actions.count
        try await rig.launch { eyot in
            try await eyot.problem { if case .storeDamaged(1, _) = $0 { true } else { false } }
            await rig.server.wait { $0.registrations.count == 2 }
            await rig.server.wait { $0.actions.dropFirst(before).contains { $0.startToken != nil } }
        }
        let register = await rig.server.registrations.last
        #expect(register?.user == "berta" && register?.signature != nil)
        #expect(await Set(rig.server.registrations.map(\.installation)).count == 1)
        #expect(await rig.server.requests.last { $0.route == .register }?.secret == "secret-1")
        let isTold = await rig.server.books.actions.dropFirst(before).contains(.profile(.init(tags: ["fan"])))
        #expect(isTold == (torn != "profile"))
        #expect(FileManager.default.fileExists(atPath: rig.directory.appendingPathComponent("eyot.corrupt.jsonl").path))
    }

    @Test func `cut anywhere behind its first line, a file has the person and what stands before the cut`() async throws
    {
        try await berta()
        let whole = try Data(contentsOf: file)
        let state = try #require(KitStateReader.read(Self.parse(whole))).state
        let text = Data(whole.prefix { $0 != 0 }.reversed().drop { $0 == UInt8(ascii: "\n") }.reversed())
        let head = try #require(text.firstIndex(of: UInt8(ascii: "\n")))
        for length in head..<text.count {
            let (found, broken) = try #require(KitStateReader.read(Self.parse(text.prefix(length))))
            #expect(found.user == "berta" && found.installation == state.installation)
            #expect(broken > 0, "cut at \(length) of \(text.count)")
        }
        #expect(KitStateReader.read(Self.parse(text))?.broken == 0)
    }

    private static func parse(_ data: Data) -> [JSONValue?] {
        data.split(separator: UInt8(ascii: "\n")).map { try? JSONValue(parsing: $0) }
    }

    @Test func `a state that was written over an older one and not to its end is the newer one`() throws {
        var older = KitState.fresh()
        older.user = "anna"
        older.registration = Registered(
            credentials: DeviceCredentials(device: "d", secret: "s", epoch: 3), fingerprint: "f")
        for name in 0..<9 { _ = older.outbox.append(.profile(.init(tags: ["\(name)"]))) }
        var newer = older
        newer.user = nil
        _ = newer.outbox.append(.logout)
        func bytes(_ state: KitState) -> [UInt8] { state.lines.flatMap { $0.utf8 + [UInt8(ascii: "\n")] } }
        let head = bytes(newer).firstIndex(of: UInt8(ascii: "\n")) ?? 0
        for length in head + 1..<bytes(newer).count - 1 {
            let mixed = Data(bytes(newer).prefix(length) + bytes(older).dropFirst(length))
            let (found, broken) = try #require(KitStateReader.read(Self.parse(mixed)))
            #expect(found.user == nil && broken > 0)
            #expect(found.registration?.isInDoubt == true)
        }
    }

    // MARK: A full disk

    @Test("a change of person on a full disk lasts, though the app is killed at once", arguments: [nil, "bert"])
    func changeOfPerson(next: String?) async throws {
        try await berta()
        try fillDisk()
        await rig.server.plan(.changes, Array(repeating: .lost, count: 100))
        try await rig.launch { eyot in
            if let next { eyot.identify(next) } else { eyot.logout() }
            eyot.unregister(name: "nobody")
            try await eyot.problem { $0 == .notRegistered(type: "nobody") }
            await #expect(eyot.ledger.state.user == next)
        }
        try freeDisk()
        await rig.server.forgetPlans()
        let told = next.map { DeviceChange.Action.identify(user: $0) } ?? .logout
        try await rig.launch { eyot in
            await rig.server.wait { $0.actions.contains(told) }
            await #expect(eyot.ledger.state.user == next)
        }
    }

    @Test func `a full disk takes nothing from what waits`() async throws {
        try await berta()
        try fillDisk()
        await rig.server.plan(.changes, Array(repeating: .lost, count: 1_000))
        try await rig.launch { eyot in
            for number in 0..<40 { eyot.setAttribute("a\(number)", to: .number(Double(number))) }
            eyot.logout()
            eyot.identify("bert")
            eyot.unregister(name: "nobody")
            try await eyot.problem { $0 == .notRegistered(type: "nobody") }
            await #expect(eyot.ledger.state.user == "bert")
        }
        try freeDisk()
        await rig.server.forgetPlans()
        try await rig.launch { _ in
            await rig.server.wait { books in
                guard books.actions.last == .identify(user: "bert") else { return false }
                return books.actions.contains {
                    if case .profile(let told) = $0 { told.attributes.count == 40 } else { false }
                }
            }
        }
    }

    @Test func `an installation that cannot be kept is not registered, at no launch`() async throws {
        // A file where the folder should be.
        try Data().write(to: rig.directory)
        for _ in 0..<3 {
            try await rig.launch { eyot in
                eyot.identify("anna")
                try await eyot.problem { if case .storeFailed = $0 { true } else { false } }
                #expect(await rig.clock.nextSleep() == 0.5)
            }
        }
        #expect(await rig.server.requests.isEmpty)
        try await rig.launch { eyot in
            eyot.identify("anna")
            _ = await rig.clock.nextSleep()
            try FileManager.default.removeItem(at: rig.directory)
            rig.signals.say(.foreground)
            await rig.server.wait { $0.registrations.count == 1 }
        }
    }

    @Test func `a file that can never be read is set aside, once another one can be`() async throws {
        try await berta()
        let isLocked = Guarded(true)
        let unreadable = file
        let problems = Guarded<[EyotProblem]>([])
        let ledger = InstallationLedger(
            file: StateFile(directory: rig.directory) { url in
                if url == unreadable || isLocked.withLock({ $0 }) { throw CocoaError(.fileReadUnknown) }
                return try Data(contentsOf: url)
            }, clock: rig.clock, osVersion: "18.1", board: StatusBoard(),
            announce: { event in
                if case .problem(let problem) = event { problems.withLock { $0.append(problem) } }
            }, somethingToSend: { _ in })
        for _ in 0..<3 * StateFile.patientTries { #expect(await !ledger.open()) }
        isLocked.withLock { $0 = false }
        #expect(await ledger.open())
        let aside = rig.directory.appendingPathComponent("eyot.corrupt.jsonl").path
        #expect(problems.withLock { $0 } == [.storeLocked, .storeCorrupt(setAside: aside)])
        #expect(try String(contentsOfFile: aside, encoding: .utf8).contains("berta"))
    }
}

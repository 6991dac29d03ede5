import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotKit

@Suite("Two instances on one folder", .timeLimit(.minutes(10)))
struct FolderTests {
    private let rig = Rig()

    @Test func `the second waits until the first is gone, says so, and goes on with its state`() async throws {
        let second = Eyot(
            configuration: rig.configuration, transport: rig.server, clock: rig.clock, signals: rig.signals,
            chance: { 0 })
        let running = Guarded<Task<Void, Never>?>(nil)
        try await rig.launch { eyot in
            eyot.addTags(["first"])
            await rig.server.wait { $0.actions.contains(.profile(.init(tags: ["first"]))) }
            second.addTags(["second"])
            running.withLock { $0 = Task { await second.run() } }
            try await Eyot.$heard.withValue(second.events) {
                #expect(await rig.clock.nextSleep() == StateFile.firstPatience)
                rig.clock.advance(by: StateFile.firstPatience)
                try await second.problem { $0 == .folderInUse(path: rig.directory.path) }
                #expect(await rig.clock.nextSleep() == StateFile.patience)
            }
            eyot.setAttribute("a", to: 1)
            await rig.server.wait { $0.actions.last == .profile(.init(tags: ["first"], attributes: ["a": 1])) }
            #expect(await rig.server.registrations.count == 1)
        }
        rig.clock.advance(by: StateFile.patience)
        await rig.server.wait {
            $0.actions.last == .profile(.init(tags: ["first", "second"], attributes: ["a": 1]))
        }
        #expect(await rig.server.registrations.count == 1)
        second.stop()
        await running.withLock { $0 }?.value
    }

    @Test func `in a folder without a lock the newer goes on, and the older writes and sends nothing more`()
        async throws
    {
        let problems = Guarded<[EyotProblem]>([])
        func ledger() -> InstallationLedger {
            InstallationLedger(
                file: StateFile(
                    directory: rig.directory, claim: FolderClaim(directory: rig.directory, isUnlockable: true)),
                clock: rig.clock, osVersion: "18.1", build: rig.configuration.build, board: StatusBoard(),
                announce: { event in
                    if case .problem(let problem) = event { problems.withLock { $0.append(problem) } }
                }, somethingToSend: { _ in })
        }
        let (app, widget) = (ledger(), ledger())
        await app.open()
        await app.change(.addTags(["app"]))
        await widget.open()
        await widget.change(.addTags(["widget"]))
        for tag in ["late", "later"] { await app.change(.addTags([tag])) }
        await widget.change(.addTags(["more"]))
        #expect(problems.withLock { $0 } == [.folderInUse(path: rig.directory.path)])
        guard case .state(let kept) = StateFile(directory: rig.directory).load() else {
            Issue.record("the file was not readable")
            return
        }
        #expect(kept.profile.tags == ["app", "widget", "more"])
        let permissions = DevicePermissions(activities: true, frequentPushes: true)
        let next = await app.nextRequest(limit: 10, configuration: rig.configuration, permissions: permissions)
        guard case .nothing = next else {
            Issue.record("\(next)")
            return
        }
    }

    @Test func `an app group's folder has no lock, which would end an app that sleeps`() {
        let group = URL(fileURLWithPath: "/private/var/mobile/Containers/Shared/AppGroup/5E0F/Eyot")
        let claim = FolderClaim(directory: group)
        #expect(claim.take() && claim.take())
        #expect(!FileManager.default.fileExists(atPath: group.path))
    }

    // MARK: After the end

    @Test func `a call after the end is reported once, and another instance can take over`() async throws {
        let lines = Guarded<[String]>([])
        var configuration = rig.configuration
        configuration.log = { line in lines.withLock { $0.append(line) } }
        try await rig.launch(as: configuration) { eyot in
            await rig.server.wait { $0.registrations.count == 1 }
            eyot.stop()
            for _ in 0..<3 { eyot.addTags(["late"]) }
        }
        #expect(lines.withLock { $0 } == ["Eyot: \(EyotProblem.stopped)"])
        try await rig.launch { eyot in
            eyot.addTags(["next"])
            await rig.server.wait { $0.actions == [.profile(.init(tags: ["next"]))] }
        }
    }
}

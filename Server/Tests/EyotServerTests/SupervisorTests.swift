import EyotDomain
import EyotTestKit
import Foundation
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import EyotServer

@Suite("The service manager", .timeLimit(.minutes(10)))
struct SupervisorTests {
    @Test(arguments: [true, false])
    func `Messages reach its socket, with a file or without one`(isAbstract: Bool) throws {
        let socket = try SupervisorSocket(isAbstract: isAbstract)
        let supervisor = try #require(Supervisor(environment: ["NOTIFY_SOCKET": socket.address]))
        for message in [Supervisor.Message.ready, .stopping, .watchdog, .reloading] {
            #expect(supervisor.tell(message))
        }
        #expect(socket.next() == "READY=1\n")
        #expect(socket.next() == "STOPPING=1\n")
        #expect(socket.next() == "WATCHDOG=1\n")
        let reloading = try #require(socket.next())
        #expect(reloading.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
        #expect(socket.next() == nil)
    }

    @Test func `Without a socket there is none, and a watchdog for another process is not ours`() throws {
        #expect(Supervisor(environment: [:]) == nil)
        #expect(Supervisor(environment: ["NOTIFY_SOCKET": "vsock:2:1"]) == nil)
        let own = "\(ProcessInfo.processInfo.processIdentifier)"
        for (pid, seconds) in [(nil, 20), (own, 20), ("1", nil)] as [(String?, Double?)] {
            var environment = ["NOTIFY_SOCKET": "/none", "WATCHDOG_USEC": "20000000"]
            environment["WATCHDOG_PID"] = pid
            let supervisor = try #require(Supervisor(environment: environment))
            #expect(supervisor.watchdogSeconds == seconds)
            #expect(!supervisor.tell(.ready))
        }
    }

    @Test func `The watchdog hears of a server that answers, twice in its time, and not of one that does not`()
        async throws
    {
        let socket = try SupervisorSocket(isAbstract: true)
        let supervisor = try #require(Supervisor(environment: ["NOTIFY_SOCKET": socket.address]))
        let clock = LeapingClock()
        let asked = Mutex<[Instant]>([])
        let watchdog = WatchdogService(supervisor: supervisor, seconds: 20, clock: clock) {
            asked.withLock { asked in
                asked.append(clock.now)
                return asked.count <= 2
            }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await watchdog.run() }
            while asked.withLock({ $0.count < 5 }) { await Task.yield() }
            group.cancelAll()
        }
        let moments = asked.withLock(\.self)
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $1.seconds(since: $0) == 10 })
        #expect((socket.next(), socket.next(), socket.next()) == ("WATCHDOG=1\n", "WATCHDOG=1\n", nil))
    }

    @Test func `A server that drains says so at once, and stops after its time`() async throws {
        let socket = try SupervisorSocket(isAbstract: true)
        let clock = LeapingClock()
        clock.isHeld = true
        let began = clock.now
        let draining = Draining(
            seconds: 10, clock: clock, supervisor: Supervisor(environment: ["NOTIFY_SOCKET": socket.address]),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: draining, successTerminationBehavior: .ignore)],
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            await group.triggerGracefulShutdown()
            while !draining.isSet { await Task.yield() }
            #expect(clock.now == began)
            clock.isHeld = false
            try await tasks.waitForAll()
        }
        #expect(clock.now == began + 10)
        #expect(socket.next() == "STOPPING=1\n")
    }
}

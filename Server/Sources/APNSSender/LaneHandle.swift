import NIOCore
import NIOSSL
import Synchronization

/// A handle of a lane for any thread. It runs jobs on the lane's event loop.
final class LaneHandle: Sendable {
    private struct Use {
        var pages = 0
        var lastPage = 0
    }

    private let lane: NIOLoopBoundBox<Lane>
    private let eventLoop: any EventLoop
    private let use = Mutex(Use())
    private let report = LaneReport()

    init(
        address: APNSAddress, tls: NIOSSLContext, tokens: ProviderTokenCache, configuration: APNSSenderConfiguration,
        eventLoop: any EventLoop
    ) {
        self.eventLoop = eventLoop
        lane = NIOLoopBoundBox.makeBoxSendingValue(
            Lane(
                address: address, tls: tls, tokens: tokens, configuration: configuration, eventLoop: eventLoop,
                report: report),
            eventLoop: eventLoop)
    }

    /// The lane's connections, as it last reported them.
    var connections: APNSConnections { report.value }
    var isUnused: Bool { use.withLock { $0.pages == 0 } }
    /// The number of the newest page.
    var lastPage: Int { use.withLock { $0.lastPage } }

    func pageBegan(_ number: Int) {
        use.withLock { use in
            use.pages += 1
            use.lastPage = number
        }
    }

    func pageEnded() { use.withLock { $0.pages -= 1 } }

    func perform(_ job: @escaping @Sendable (Lane) -> Void) {
        let lane = lane
        eventLoop.execute { job(lane.value) }
    }

    func drain() async {
        await withCheckedContinuation { continuation in perform { $0.drain(continuation) } }
    }
}

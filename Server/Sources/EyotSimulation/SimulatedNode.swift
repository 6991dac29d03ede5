import EyotCommands
import EyotDomain
import EyotEngine

/// A node: the memory of its process, and the work that is under way there.
final class SimulatedNode {
    enum Condition {
        case running
        /// The process has stood still since a moment, with all its work.
        case stalled(since: Instant)
        /// The process has died, and the next one has not begun.
        case down
    }

    /// The state of a node that has the lease.
    struct Holding {
        var tenure: Tenure
        /// The lease's end that this node knows.
        var until: Instant
        var core: EngineCore
        /// Whether the node begins nothing more.
        var isLeaving = false
        /// Whether another node has begun a tenure.
        var isLost = false
        /// Whether the core has finished its work.
        var isFinished = false
    }

    let number: Int
    var id: NodeID
    var condition = Condition.running
    var holding: Holding?
    var turns: ChannelTurns
    /// Whether a look at the channels is pending.
    var isLooking = false
    /// Whether a look at new members of live audiences is pending.
    var isTellingLive = false
    /// Whether an extension of the lease is pending.
    var isRenewing = false
    var gate: RegistrationGate<SimulatedReport>
    /// Whether the log of arrivals is being merged.
    var isMerging = false
    var pending: [Simulation.Pending] = []
    /// Since when pushes are on their way; nil for none.
    var pageSince: Instant?
    /// The moments when the core wakes and when the node looks at the lease again, by the node's clock.
    var wakeAt: Instant?
    var enterAt: Instant?
    /// Seconds by which the node's clock is ahead of the phones' clocks.
    var lead = 0.0
    private var lives = 1
    private var lastRead = Instant(second: 0)

    init(_ number: Int, gate: RegistrationGate<SimulatedReport>, beginsAt: Instant) {
        self.number = number
        self.gate = gate
        id = NodeID(rawValue: "\(number).1")
        turns = ChannelTurns(beginsAt: beginsAt)
    }

    var isRunning: Bool {
        if case .running = condition { return true }
        return false
    }

    /// The epoch of the node's tenure; 0 for none.
    var epoch: Int { holding?.tenure.epoch ?? 0 }

    /// Returns the time of the node's clock. A clock that is slewed stands still for a while; it does not go back.
    func clock(at time: Instant) -> Instant {
        lastRead = max(lastRead, time + lead)
        return lastRead
    }

    /// Sets the clock at once, possibly back, to the phones' time.
    func setBack(to time: Instant) { (lead, lastRead) = (0, time) }

    /// Replaces the process by a new one.
    func beginLife() {
        lives += 1
        isTellingLive = false
        id = NodeID(rawValue: "\(number).\(lives)")
    }
}

import EyotCommands
import EyotDomain
import EyotEngine

/// One node: what its process holds in memory, and what is under way there.
final class SimulatedNode {
    enum Condition {
        case running
        /// It stands still since a moment, with all that is under way.
        case stalled(since: Instant)
        /// Its process has died, and the next one has not begun.
        case down
    }

    /// What it holds while it has the lease.
    struct Holding {
        var tenure: Tenure
        /// The lease's end, as far as this node knows.
        var until: Instant
        var core: EngineCore
        /// Nothing more is begun.
        var isLeaving = false
        /// Another node has begun a tenure.
        var isLost = false
        /// The core has nothing under way any more.
        var isFinished = false
    }

    let number: Int
    var id: NodeID
    var condition = Condition.running
    var holding: Holding?
    var turns: ChannelTurns
    /// A look at the channels is to come.
    var isLooking = false
    /// Those who come to belong to audiences that stay open are to be looked at.
    var isTellingLive = false
    /// The lease is to be extended.
    var isRenewing = false
    var gate: RegistrationGate<SimulatedReport>
    /// The log is being merged.
    var isMerging = false
    var pending: [Simulation.Pending] = []
    /// Since when pushes have been on their way.
    var pageSince: Instant?
    /// When the core wants to be woken, and when the lease is looked at again; by the node's own clock.
    var wakeAt: Instant?
    var enterAt: Instant?
    /// Seconds by which its clock is ahead of the phones'.
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

    /// Which tenure it holds; 0 for none.
    var epoch: Int { holding?.tenure.epoch ?? 0 }

    /// What its clock reads. One that is corrected bit by bit stands still for a while, it does not go back.
    func clock(at time: Instant) -> Instant {
        lastRead = max(lastRead, time + lead)
        return lastRead
    }

    /// Somebody corrects it at once: it goes back to what the phones' clocks read.
    func setBack(to time: Instant) { (lead, lastRead) = (0, time) }

    /// Another process takes the place of the one before.
    func beginLife() {
        lives += 1
        isTellingLive = false
        id = NodeID(rawValue: "\(number).\(lives)")
    }
}

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

    /// What a process knows of its leases, and its engine.
    struct Holding {
        var core: EngineCore
        /// The tenures that have begun and have not been given back.
        var tenures: [Int: Tenure] = [:]
        /// The ends of their leases that this node knows.
        var ends: [Int: Instant] = [:]
        /// When tenures begin that the engine does not know yet.
        var beginning: [Int: Instant] = [:]
        var served: Set<Int> = []
        /// The shards that the core was told of and has not left.
        var known: Set<Int> = []
        /// Shards in which another node has begun a tenure.
        var lost: Set<Int> = []
        /// Shards of which the tenure began in a former history of the database.
        var former: Set<Int> = []
        /// Shards that are not served any longer and in which the core has finished its work.
        var finished: Set<Int> = []

        init(_ core: EngineCore) { self.core = core }
    }

    let number: Int
    var id: NodeID
    var condition = Condition.running
    var holding: Holding?
    var turns = ChannelTurns(for: .none)
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

    init(_ number: Int, gate: RegistrationGate<SimulatedReport>) {
        self.number = number
        self.gate = gate
        id = NodeID(rawValue: "\(number).1")
    }

    var isRunning: Bool {
        if case .running = condition { return true }
        return false
    }

    /// Whether the node serves something.
    var isServing: Bool { holding?.served.isEmpty == false }

    /// The epoch of the node's tenure of a shard. It is ``SimulationRecord/formerTenure`` for none, and for one that
    /// began in a former history.
    func epoch(of shard: Int) -> Int {
        guard let holding, let tenure = holding.tenures[shard], !holding.former.contains(shard) else {
            return SimulationRecord.formerTenure
        }
        return tenure.epoch
    }

    /// Returns the time of the node's clock. A clock that is slewed stands still for a while; it does not go back.
    func clock(at time: Instant) -> Instant {
        lastRead = max(lastRead, time + lead)
        return lastRead
    }

    /// Sets the clock at once, possibly back, to the phones' time.
    func setBack(to time: Instant) { (lead, lastRead) = (0, time) }

    /// Lets the tenures and the pages at the sender belong to a former history.
    func outliveHistory() {
        if let tenures = holding?.tenures.keys { holding?.former.formUnion(tenures) }
        for index in pending.indices {
            switch pending[index] {
            case .flight(var flight):
                flight.outlive()
                pending[index] = .flight(flight)
            case .part(var flight, let known):
                flight.outlive()
                pending[index] = .part(flight, known)
            default: break
            }
        }
    }

    /// Replaces the process by a new one.
    func beginLife() {
        lives += 1
        isTellingLive = false
        id = NodeID(rawValue: "\(number).\(lives)")
    }
}

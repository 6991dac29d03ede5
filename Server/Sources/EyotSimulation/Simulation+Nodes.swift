import APNSWire
import EyotDomain
import EyotEngine

/// Several nodes on one store. Each has a clock of its own and leases of some shards.
extension Simulation {
    /// The most seconds by which a node's clock is ahead. It is never behind the phones. The treatment of pushes older
    /// than their card is tested elsewhere.
    private static let longestLead = 1.0
    /// Seconds after which a stalled node's connections are gone.
    private static let connectionLife = 60.0

    /// The greatest difference between two clocks, in seconds.
    var skew: Double { hasNodes ? Self.longestLead : 0 }
    var hasNodes: Bool { nodes.count > 1 }

    /// Runs `body` for every node that runs.
    func onEach(_ body: () throws -> Void) rethrows {
        let former = place
        defer { place = former }
        for index in nodes.indices where nodes[index].isRunning {
            place = index
            try body()
        }
    }

    /// Changes the condition of a node. The next action goes to a node that runs.
    func actOnNodes() throws {
        place = random.below(nodes.count)
        switch random.below(100) {
        case 0..<10:
            try chooseNode()
            try untilSending()
            if node.isRunning {
                try stall()
                // Sometimes long enough for another node to take over.
                if random.percent(60) { for _ in 0...random.below(6) { try passOnNodes() } }
            }
        case 10..<35: try continueNode()
        case 35..<40: if node.isRunning, plan.troubles.contains(.crashes) { try crash() }
        case 40..<43: if node.isRunning { try leave() }
        case 43..<55: setClock()
        default: break
        }
        try chooseNode()
    }

    /// Sets a node's clock forward or back.
    func setClock() {
        if random.percent(40) {
            node.setBack(to: time)
        } else {
            node.lead = Double(random.below(Int(Self.longestLead * 1_000))) / 1_000
        }
    }

    /// Continues for a few steps until a node has a page in flight.
    private func untilSending() throws {
        for _ in 0..<12 {
            if let index = nodes.firstIndex(where: { $0.isRunning && $0.pending.contains(where: \.isFlight) }) {
                place = index
                return
            }
            try happen()
        }
    }

    private func passOnNodes() throws {
        let former = place
        try chooseNode()
        for _ in 0..<random.below(6) { try happen() }
        try pass(seconds: Double(random.below(12_000)) / 1_000)
        place = former
    }

    /// Chooses the node for a call.
    func chooseNode() throws {
        if !nodes.contains(where: \.isRunning) {
            place = random.below(nodes.count)
            try continueNode()
        }
        let running = nodes.indices.filter { nodes[$0].isRunning }
        place = running[random.below(running.count)]
    }

    /// Stalls a node. Some of its pushes already have their second and are on their way to the network.
    private func stall() throws {
        record.note("\(node.number) stalls")
        node.condition = .stalled(since: time)
        for index in node.pending.indices {
            guard case .flight(var flight) = node.pending[index], random.percent(50),
                flight.page.stamps.contains(now.second)
            else { continue }
            flight.stamped = now.second
            node.pending[index] = .flight(flight)
        }
    }

    /// Resumes a stalled node, or starts one that is down.
    func continueNode() throws {
        switch node.condition {
        case .running: return
        case .stalled(let since):
            record.note("\(node.number) goes on")
            node.condition = .running
            let rest = time.seconds(since: since)
            for index in node.pending.indices {
                guard case .flight(var flight) = node.pending[index] else { continue }
                if rest > Self.connectionLife { flight.stamped = nil }
                flight.isExpired = rest > Self.pageTime
                node.pending[index] = .flight(flight)
            }
            if node.pageSince != nil { node.pageSince = time }
        case .down:
            record.note("\(node.number) begins anew")
            node.condition = .running
            node.beginLife()
            restartGate()
            startEngine()
            node.pending.append(.tell)
            node.pending.append(.enter)
        }
    }

    /// Takes one of several nodes down after its process has died.
    func stayDown(_ askers: [Int]) throws {
        node.holding = nil
        (node.enterAt, node.wakeAt, node.pageSince) = (nil, nil, nil)
        (node.isLooking, node.isRenewing, node.isTellingLive) = (false, false, false)
        node.condition = .down
        node.pending = []
        // The phones' connections are gone.
        for phone in askers { try receive(nil, at: phone) }
        if random.percent(50) { try continueNode() }
    }
}

extension Simulation.Pending {
    fileprivate var isFlight: Bool {
        if case .flight = self { return true }
        return false
    }
}

/// The cost of each of a number of equal things.
struct Cost: Sendable {
    /// Microseconds of CPU.
    var cpu: Double
    /// Bytes written to disks.
    var written: Double
    /// The number of times that a thread was woken.
    var wakeUps: Double

    init(cpu: Double, written: Double, wakeUps: Double) {
        (self.cpu, self.written, self.wakeUps) = (cpu, written, wakeUps)
    }

    init(_ usage: ProcessUsage, of count: Int) {
        self.init(
            cpu: usage.cpu / Double(count) * 1_000_000, written: Double(usage.bytesWritten) / Double(count),
            wakeUps: Double(usage.wakeUps) / Double(count))
    }

    /// Measures the cost of each of `count` things that the body does in this process.
    static func of(_ count: Int, _ body: () async throws -> Void) async throws -> Cost {
        let before = ProcessUsage.now
        try await body()
        return Cost(ProcessUsage.now - before, of: count)
    }
}

extension BenchReport {
    /// Adds the costs of a number of equal things under a name.
    mutating func add(_ name: String, _ costs: [Cost]) {
        add("\(name): CPU", costs.map(\.cpu), "µs")
        add("\(name): written", costs.map(\.written), "bytes")
    }

    /// Adds the peak memory of this process.
    mutating func addPeakMemory(goal: Goal? = nil) {
        add("peak memory", Double(ProcessUsage.peakMemory) / 1_000_000, "MB", goal: goal)
    }
}

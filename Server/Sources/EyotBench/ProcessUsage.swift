import Foundation

/// What this process has used so far.
struct ProcessUsage: Sendable {
    /// Seconds of CPU, in user and kernel mode together.
    var cpu: Double
    /// Bytes that it has had written to disks.
    var bytesWritten: Int

    static var now: ProcessUsage {
        var usage = rusage()
        // RUSAGE_SELF, for which each system has a type of its own.
        getrusage(0, &usage)
        return ProcessUsage(cpu: usage.seconds, bytesWritten: field("write_bytes", in: "io"))
    }

    /// The most memory that it ever held, in bytes.
    static var peakMemory: Int { field("VmHWM", in: "status") * 1_024 }

    static func - (a: ProcessUsage, b: ProcessUsage) -> ProcessUsage {
        ProcessUsage(cpu: a.cpu - b.cpu, bytesWritten: a.bytesWritten - b.bytesWritten)
    }

    /// A number of the kernel's about this process; 0 where it says nothing.
    private static func field(_ name: String, in file: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/\(file)", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

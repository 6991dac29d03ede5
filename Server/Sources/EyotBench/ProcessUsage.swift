import Foundation

/// What this process has used so far.
struct ProcessUsage: Sendable {
    /// Seconds of CPU, in user and kernel mode together.
    var cpu: Double
    /// Bytes that it has had written to disks.
    var bytesWritten: Int
    /// How often one of its threads was woken, after it had waited for something.
    var wakeUps = 0

    static var now: ProcessUsage {
        var usage = rusage()
        // RUSAGE_SELF, for which each system has a type of its own.
        getrusage(0, &usage)
        return ProcessUsage(cpu: usage.seconds, bytesWritten: field("write_bytes", in: "io"), wakeUps: usage.ru_nvcsw)
    }

    /// Seconds of CPU that the thread has used so far that asks.
    static var threadCPU: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// The most memory that it ever held, in bytes.
    static var peakMemory: Int { field("VmHWM", in: "status") * 1_024 }

    /// The memory that a process holds, in bytes; by default this one.
    static func memory(of process: Int32? = nil) -> Int { field("VmRSS", in: "status", of: process) * 1_024 }

    /// What another process has read, from files and elsewhere, in bytes.
    static func bytesRead(by process: Int32) -> Int { field("rchar", in: "io", of: process) }

    static func - (a: ProcessUsage, b: ProcessUsage) -> ProcessUsage {
        ProcessUsage(
            cpu: a.cpu - b.cpu, bytesWritten: a.bytesWritten - b.bytesWritten, wakeUps: a.wakeUps - b.wakeUps)
    }

    /// A number of the kernel's about a process; 0 where it says nothing.
    private static func field(_ name: String, in file: String, of process: Int32? = nil) -> Int {
        let path = "/proc/\(process.map { "\($0)" } ?? "self")/\(file)"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

import Foundation

/// The resources that this process has used so far.
struct ProcessUsage: Sendable {
    /// CPU time in seconds, in user and kernel mode together.
    var cpu: Double
    /// The bytes that it caused to be written to disks.
    var bytesWritten: Int
    /// The number of times that one of its threads was woken after a wait.
    var wakeUps = 0

    static var now: ProcessUsage {
        var usage = rusage()
        // RUSAGE_SELF. Each system has a type of its own for it.
        getrusage(0, &usage)
        return ProcessUsage(cpu: usage.seconds, bytesWritten: field("write_bytes", in: "io"), wakeUps: usage.ru_nvcsw)
    }

    /// The CPU time of the calling thread so far, in seconds.
    static var threadCPU: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    /// The peak memory of this process, in bytes.
    static var peakMemory: Int { field("VmHWM", in: "status") * 1_024 }

    /// Returns the memory of a process, in bytes; nil for this one.
    static func memory(of process: Int32? = nil) -> Int { field("VmRSS", in: "status", of: process) * 1_024 }

    /// Returns the bytes that another process has read, from files and elsewhere.
    static func bytesRead(by process: Int32) -> Int { field("rchar", in: "io", of: process) }

    /// CPU time in seconds of all processes with a name, and of those that they have waited for.
    static func cpu(ofAllNamed name: String) -> Double {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.filter { Int($0) != nil }.reduce(0) { $0 + seconds(of: $1, named: name) }
    }

    private static func seconds(of process: String, named name: String) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            text.contains("(\(name))"), let end = text.lastIndex(of: ")")
        else { return 0 }
        // utime, stime, cutime and cstime are the 12th to 15th words after the name, in hundredths of a second.
        let words = text[text.index(after: end)...].split(separator: " ")
        return words.dropFirst(11).prefix(4).reduce(0) { $0 + (Double($1) ?? 0) / 100 }
    }

    static func - (a: ProcessUsage, b: ProcessUsage) -> ProcessUsage {
        ProcessUsage(
            cpu: a.cpu - b.cpu, bytesWritten: a.bytesWritten - b.bytesWritten, wakeUps: a.wakeUps - b.wakeUps)
    }

    /// Returns one of the kernel's numbers about a process; 0 if there is none.
    private static func field(_ name: String, in file: String, of process: Int32? = nil) -> Int {
        let path = "/proc/\(process.map { "\($0)" } ?? "self")/\(file)"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    }
}

import EyotDomain
import EyotLab

/// The oracle of the test. It checks the phones and the last server's store for lost and repeated pushes.
struct CrashOracle: Sendable {
    let script: CrashScript
    let phones: [CrowdPhone]
    let counts: Crowd.Counts
    let trace: CrashTrace

    /// Returns all violations.
    ///
    /// - Parameter database: the value of the server's setting.
    func complaints(store database: String) async throws -> [String] {
        let bench = try await BenchStore(of: database, bundleID: LabConfiguration.bundleID)
        let (activity, replicas) = try await ledger(bench)
        try await bench.remove()
        return complaintsOfPhones + complaints(about: activity, replicas)
    }

    // MARK: The phones

    var complaintsOfPhones: [String] {
        var complaints: [String] = []
        func note(_ count: Int, _ words: String) { if count > 0 { complaints.append("\(count) \(words)") } }
        let cards = phones.filter(\.hasCard)
        note(phones.count { $0.starts > 1 }, "cards were started more than once (R6)")
        note(cards.count { !$0.hasReported }, "tokens were never taken by the server (R9)")
        note(cards.count { $0.shown != trace.declared || !$0.isEnded }, "cards do not show the end (R1, R9)")
        note(counts.sameSecond, "pushes carried a second that their card had been pushed in (R7)")
        note(counts.backwards, "pushes took a card back to an older state (R2)")
        note(counts.strange, "pushes went to nobody, or said what nobody had declared")
        for (index, repeats) in trace.repeats.enumerated() where repeats > Crash.window {
            complaints.append("\(repeats) pushes came again after kill \(index + 1); at most \(Crash.window) may (R9)")
        }
        return complaints
    }

    // MARK: The store

    private func ledger(_ bench: BenchStore) async throws -> (Activity, [Int: Replica]) {
        let app = bench.app
        let found = try await bench.store.read { try $0.newestActivity(named: CrashNight.name, in: app) }
        guard let activity = found else { throw BenchError.missing("the activity") }
        var replicas: [Int: Replica] = [:]
        let batch = 1_000
        for first in stride(from: 0, to: activity.nextOrdinal, by: batch) {
            let page = try await bench.store.read { ledger in
                try ledger.replicas(of: activity.id, after: first, limit: batch)
            }
            // Devices were made in the order of the phones' numbers.
            for replica in page { replicas[Int(replica.device.rawValue)] = replica }
        }
        return (activity, replicas)
    }

    func complaints(about activity: Activity, _ replicas: [Int: Replica]) -> [String] {
        var complaints: [String] = []
        if activity.version != trace.declared {
            complaints.append(
                "\(trace.declared) declarations were accepted, and the activity is at \(activity.version) (R9, R14)")
        }
        var wrong: [String: Int] = [:]
        for number in script.phones {
            guard let replica = replicas[number] else {
                wrong["have no place, though a start for them was accepted (R9)", default: 0] += 1
                continue
            }
            let phone = phones[number]
            if phone.hasCard {
                let isEnded = replica.phase == .ended && replica.acceptedVersion == trace.declared
                if !isEnded {
                    wrong["have a card that was ended, and are \(replica.phase) for the server (R9)", default: 0] += 1
                }
            } else if !replica.isStartUnknown {
                wrong["got no start, and are \(replica.phase) for the server (R6, R9)", default: 0] += 1
            }
        }
        return complaints + wrong.sorted { $0.key < $1.key }.map { "\($0.value) phones \($0.key)" }
    }

    // MARK: Figures

    var report: BenchReport {
        var report = BenchReport(name: "crash", rounds: trace.repeats.count)
        let asked = script.phones.count - script.running.count
        let arrived = phones.count { $0.starts > 0 }
        report.add("phones", Double(script.phones.count), "")
        report.add("declarations", Double(trace.declared), "")
        report.add("pushes", Double(counts.pushes), "")
        report.add("starts that were asked for", Double(asked), "")
        report.add("starts that arrived", Double(arrived), "")
        report.add("starts whose fate the server does not know, and that never left", Double(asked - arrived), "")
        report.add("pushes that came again after a kill", trace.repeats.map(Double.init), "")
        report.add("pushes that may", Double(Crash.window), "")
        report.add("from a start to the first call", trace.restarts, "s")
        return report
    }
}

extension Replica {
    /// Whether the server has recorded the start's outcome as unknown.
    fileprivate var isStartUnknown: Bool { phase == .starting && lease?.state == .unknown }
}

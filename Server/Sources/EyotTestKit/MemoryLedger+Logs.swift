import EyotDomain

/// What apps have beyond the limits of their logs.
extension MemoryLedger {
    package func newestNumber(beyond limit: Int, in log: AppLog, of app: AppID?) -> Int? {
        let numbers = numbers(of: app, in: log)
        return numbers.count > limit ? numbers[numbers.count - limit - 1] : nil
    }

    package func removeRows(upTo number: Int, from log: AppLog, of app: AppID?, limit: Int) -> Int {
        let removed = Set(numbers(of: app, in: log).filter { $0 <= number }.prefix(limit))
        switch log {
        case .changes: auditRows.removeAll { $0.app == app && removed.contains($0.number) }
        case .accesses: accessRows.removeAll { $0.call.app == app && removed.contains($0.call.number) }
        case .identityFailures: identityFailureRows.removeAll { $0.app == app && removed.contains($0.number) }
        case .answers:
            let own = answered.indices.filter { answered[$0].app == app }.prefix(removed.count)
            for index in own.reversed() { answered.remove(at: index) }
        }
        return removed.count
    }

    /// In rising order. Answers have no numbers here, so their places among the app's answers count, from 1.
    private func numbers(of app: AppID?, in log: AppLog) -> [Int] {
        switch log {
        case .changes: auditRows.filter { $0.app == app }.map(\.number)
        case .accesses: accessRows.filter { $0.call.app == app }.map(\.call.number)
        case .identityFailures: identityFailureRows.filter { $0.app == app }.map(\.number)
        case .answers: Array(1..<answered.count { $0.app == app } + 1)
        }
    }
}

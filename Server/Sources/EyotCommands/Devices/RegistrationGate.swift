import EyotContract
import EyotDomain

/// Decides which reports of phones are applied at once and which go into the log, and when the log is merged. It performs
/// nothing itself.
package struct RegistrationGate<Report: Sendable>: Sendable {
    /// Where a report goes.
    package enum Place: Sendable, Hashable {
        case atOnce
        /// It waits for the log. It may be applied at once after all.
        case waits
        /// Too many wait already.
        case refused
    }

    private let limits: Registrations.Limits
    private var isOpen = false
    private var underWay: [AppID: Int] = [:]
    private var waiting = AppTurns<Report>()
    private var groups = 0

    package init(limits: Registrations.Limits) { self.limits = limits }

    /// Reports of all apps that are under way.
    package var load: Int { underWay.values.reduce(0, +) }

    /// From now on reports may go into the log.
    package mutating func open() { isOpen = true }

    /// From now on every report is applied at once, and so are those that wait.
    package mutating func close() -> [Report] {
        isOpen = false
        return waiting.share(.max)
    }

    /// A report has come. It is under way until ``leave(of:)``.
    package mutating func enter(_ report: Report, of app: AppID) -> Place {
        let count = (underWay[app] ?? 0) + 1
        underWay[app] = count
        guard isOpen, count > limits.atOnce else { return .atOnce }
        guard waiting.count < limits.waiting, waiting.count(of: app) < limits.waitingOfApp else { return .refused }
        waiting.append(CollectionOfOne(report), of: app)
        return .waits
    }

    package mutating func leave(of app: AppID) {
        let left = (underWay[app] ?? 0) - 1
        underWay[app] = left > 0 ? left : nil
    }

    /// Those that are answered and appended together next, an equal share of each app; nil while nobody waits, or enough
    /// groups are under way.
    package mutating func nextGroup() -> [Report]? {
        guard !waiting.isEmpty, groups < limits.groups else { return nil }
        groups += 1
        return waiting.share(limits.group)
    }

    package mutating func endGroup() { groups -= 1 }
}

/// Appends reports that were answered to the log. One transaction.
package struct AppendArrivals {
    let ledger: any Ledger
    let limits: Registrations.Limits

    package init(ledger: any Ledger, limits: Registrations.Limits) {
        self.ledger = ledger
        self.limits = limits
    }

    /// - Returns: the answers of those that are in the log now. Beyond its limits reports are applied at once.
    package func callAsFunction(_ answered: [AnswerArrivals.Answered?]) throws -> [DeviceAnswer?] {
        guard try ledger.arrivalSpan() + answered.count <= limits.log else { return answered.map { _ in nil } }
        let full = try Set(answered.compactMap { $0?.arrival.app }).filter { app in
            try ledger.arrivalSpan(of: app) + answered.count > limits.logOfApp
        }
        let taken = answered.map { report in report.flatMap { full.contains($0.arrival.app) ? nil : $0 } }
        try ledger.append(taken.compactMap { $0?.arrival })
        return taken.map { $0?.answer }
    }
}

/// Sets what is in the log by turns of apps, each in the order of the ordinals, and then removes it in the order in which it
/// came: so many in each transaction. What a device has there several of is set first, in the order in which it came (R8).
package struct MergeRound: Sendable {
    package private(set) var merges: [[Int64]] = []
    package private(set) var removals: [[Int64]] = []
    /// How many these are, and of how many apps.
    package private(set) var count = 0
    package private(set) var apps = 0

    /// Looks at what is in the log.
    package init(_ ledger: any Ledger, limits: Registrations.Limits) throws {
        let apps = try ledger.apps().map(\.id).filter { try ledger.arrivalSpan(of: $0) > 0 }
            .sorted { $0.rawValue < $1.rawValue }
        let share = apps.count > 1 ? max(1, limits.sharedRound / apps.count) : limits.round
        var (turns, ids) = (AppTurns<Int64>(), [Int64]())
        for app in apps {
            let places = Self.inOrder(try ledger.arrivalPlaces(of: app, limit: share))
            turns.append(places.map(\.id), of: app)
            ids += places.map(\.id)
        }
        while !turns.isEmpty { merges.append(turns.next(limits.merge)) }
        removals = ids.sorted().inSlices(of: limits.remove)
        (count, self.apps) = (ids.count, apps.count)
    }

    package var isEmpty: Bool { merges.isEmpty }

    private static func inOrder(_ places: [ArrivalPlace]) -> [ArrivalPlace] {
        let devices = places.map(\.device.rawValue).sorted()
        let repeated = Set(zip(devices, devices.dropFirst()).filter { $0 == $1 }.map(\.0))
        let others = places.filter { !repeated.contains($0.device.rawValue) }
            .sorted { ($0.activity.rawValue, $0.ordinal) < ($1.activity.rawValue, $1.ordinal) }
        return places.filter { repeated.contains($0.device.rawValue) } + others
    }
}

extension [Int64] {
    fileprivate func inSlices(of count: Int) -> [[Int64]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}

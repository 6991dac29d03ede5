import EyotContract
import EyotDomain

/// The decision which reports are applied at once and which wait for the log. It performs no work itself.
/// ``Registrations`` explains why there is a log.
package struct RegistrationGate<Report: Sendable>: Sendable {
    /// The way a report takes.
    package enum Place: Sendable, Hashable {
        case atOnce
        /// It waits for the log. It may still be applied at once.
        case waits
        /// Too many reports wait already.
        case refused
    }

    private let limits: Registrations.Limits
    private var isOpen = false
    private var underWay: [AppID: Int] = [:]
    private var waiting = AppTurns<Report>()
    private var groups = 0

    package init(limits: Registrations.Limits) { self.limits = limits }

    /// The number of reports under way, of all apps.
    package var load: Int { underWay.values.reduce(0, +) }

    /// Lets reports wait for the log from now on.
    package mutating func open() { isOpen = true }

    /// Applies all reports at once from now on, and returns those that wait so that they are applied at once too.
    package mutating func close() -> [Report] {
        isOpen = false
        return waiting.share(.max)
    }

    /// Counts a report as under way until ``leave(of:)``, and returns its way.
    package mutating func enter(_ report: Report, of app: AppID) -> Place {
        let count = (underWay[app] ?? 0) + 1
        underWay[app] = count
        let isBesideGroups = limits.waitsBesideGroups && (groups > 0 || !waiting.isEmpty)
        guard isOpen, count > limits.atOnce || isBesideGroups else { return .atOnce }
        guard waiting.count < limits.waiting, waiting.count(of: app) < limits.waitingOfApp else { return .refused }
        waiting.append(CollectionOfOne(report), of: app)
        return .waits
    }

    package mutating func leave(of app: AppID) {
        let left = (underWay[app] ?? 0) - 1
        underWay[app] = left > 0 ? left : nil
    }

    /// The reports that are answered and appended together next, an equal share of each app. Nil if none wait or enough
    /// groups are under way.
    package mutating func nextGroup() -> [Report]? {
        guard !waiting.isEmpty, groups < limits.groups else { return nil }
        groups += 1
        return waiting.share(limits.group)
    }

    package mutating func endGroup() { groups -= 1 }
}

/// The room that the log has for answered reports. It only reads, in the snapshot of the answers: an append that read
/// would be in conflict with appends of other nodes. Groups under way at the same time may exceed the limit together.
package struct RoomInLog {
    let ledger: any Ledger
    let limits: Registrations.Limits

    package init(ledger: any Ledger, limits: Registrations.Limits) {
        self.ledger = ledger
        self.limits = limits
    }

    /// Returns the reports that are to be appended. Nil stands for a report to apply at once, because it does not fit
    /// or the log is full.
    package func callAsFunction(
        for answered: [AnswerArrivals.Answered?]
    ) throws -> [AnswerArrivals.Answered?] {
        guard try ledger.arrivalSpan() + answered.count <= limits.log else { return answered.map { _ in nil } }
        let full = try Set(answered.compactMap { $0?.arrival.app }).filter { app in
            try ledger.arrivalSpan(of: app) + answered.count > limits.logOfApp
        }
        return answered.map { report in report.flatMap { full.contains($0.arrival.app) ? nil : $0 } }
    }
}

/// One round of merges and removals. Apps take turns, and each app's arrivals are merged in the order of ordinals. If a
/// device has arrivals for several places, they are merged first, in the order of the log (R8). Then all are removed in
/// the order of the log. Each element of `merges` and `removals` is one transaction.
///
/// Of several nodes each has a round of its own. All arrivals of a device belong to the node of the first one. It has
/// removed that one before another node merges the next, and no report is answered before its arrival is there.
package struct MergeRound: Sendable {
    package private(set) var merges: [[Int64]] = []
    package private(set) var removals: [[Int64]] = []
    /// The number of arrivals, and the number of their apps.
    package private(set) var count = 0
    package private(set) var apps = 0

    /// Reads the round from the log.
    ///
    /// - Parameter serves: Whether the round has an activity's arrivals; nil for all.
    package init(
        _ ledger: any Ledger, limits: Registrations.Limits, of serves: ((ActivityID) -> Bool)? = nil
    ) throws {
        // Most looks of a node find nothing.
        guard try ledger.arrivalSpan() > 0 else { return }
        let apps = try ledger.apps().map(\.id).filter { try ledger.arrivalSpan(of: $0) > 0 }
            .sorted { $0.rawValue < $1.rawValue }
        let share = apps.count > 1 ? max(1, limits.sharedRound / apps.count) : limits.round
        var (turns, ids) = (AppTurns<Int64>(), [Int64]())
        for app in apps {
            let places = Self.inOrder(try ledger.arrivalPlaces(of: app, limit: share), of: serves)
            guard !places.isEmpty else { continue }
            turns.append(places.map(\.id), of: app)
            ids += places.map(\.id)
            self.apps += 1
        }
        while !turns.isEmpty { merges.append(turns.next(limits.merge)) }
        removals = ids.sorted().inSlices(of: limits.remove)
        count = ids.count
    }

    package var isEmpty: Bool { merges.isEmpty }

    private static func inOrder(
        _ places: [ArrivalPlace], of serves: ((ActivityID) -> Bool)?
    ) -> [ArrivalPlace] {
        let ordered = places.sorted {
            ($0.device.rawValue, $0.activity.rawValue, $0.ordinal) < (
                $1.device.rawValue, $1.activity.rawValue, $1.ordinal
            )
        }
        let divided = zip(ordered, ordered.dropFirst())
            .filter { $0.device == $1.device && ($0.activity, $0.ordinal) != ($1.activity, $1.ordinal) }
        let repeated = Set(divided.map(\.0.device))
        let others = places.filter { !repeated.contains($0.device) }
            .sorted { ($0.activity.rawValue, $0.ordinal, $0.id) < ($1.activity.rawValue, $1.ordinal, $1.id) }
        let first = places.filter { repeated.contains($0.device) }
        guard let serves else { return first + others }
        let leaders = Dictionary(first.map { ($0.device, $0.activity) }) { earlier, _ in earlier }
        return first.filter { serves(leaders[$0.device] ?? $0.activity) } + others.filter { serves($0.activity) }
    }
}

extension [Int64] {
    fileprivate func inSlices(of count: Int) -> [[Int64]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}

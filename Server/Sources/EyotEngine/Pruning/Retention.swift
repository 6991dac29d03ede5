/// How long data is kept once it is no longer needed, in seconds.
package struct Retention: Sendable, Hashable {
    private static let day = 86_400.0

    /// Operations. At least a day, because idempotency keys are promised for as long.
    package var operations = 30 * day
    /// Ended generations with all that belongs to them, and overtaken states of running activities. At least a day: iOS
    /// lets a card live for twelve hours, and a phone's report may come late.
    package var ended = 7 * day
    /// Devices since they were last heard of.
    package var devices = 180 * day

    /// The record of changes by keys.
    package var audit = 90 * day
    /// Events, and what Apple accepted.
    package var events = 30 * day
    /// Reports of activities, after the activity was removed.
    package var reports = 400 * day

    package init() {}

    /// - Parameters: Whole days.
    package init(operationDays: Int, endedDays: Int, deviceDays: Int, auditDays: Int = 90, eventDays: Int = 30) {
        operations = Double(operationDays) * Self.day
        ended = Double(endedDays) * Self.day
        devices = Double(deviceDays) * Self.day
        audit = Double(auditDays) * Self.day
        events = Double(eventDays) * Self.day
    }

    package mutating func keepReports(days: Int) { reports = Double(days) * Self.day }
}

/// For how long what is over is kept, in seconds.
package struct Retention: Sendable, Hashable {
    private static let day = 86_400.0

    /// Operations. At least a day, so that an idempotency key holds for as long as it is promised.
    package var operations = 30 * day
    /// Ended generations with all that belongs to them, and states of running activities that a newer one overtook. At least a
    /// day: iOS lets a card live for twelve hours, and what a phone says of it may come late.
    package var ended = 7 * day
    /// Devices that have not been heard of.
    package var devices = 180 * day

    /// What keys changed.
    package var audit = 90 * day

    package init() {}

    /// - Parameters: whole days.
    package init(operationDays: Int, endedDays: Int, deviceDays: Int, auditDays: Int = 90) {
        operations = Double(operationDays) * Self.day
        ended = Double(endedDays) * Self.day
        devices = Double(deviceDays) * Self.day
        audit = Double(auditDays) * Self.day
    }
}

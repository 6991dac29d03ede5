import APNSWire
import EyotDomain

/// The channel that a card of a name can follow on a phone.
package struct FindChannel: UseCase {
    package let transaction: Transaction
    private let opened: Set<ActivityID>

    /// - Parameter opened: The activities that the phone has shown the join secret of.
    package init(_ transaction: Transaction, opened: Set<ActivityID> = []) {
        self.transaction = transaction
        self.opened = opened
    }

    /// - Throws: `activityUnknown`, `activityEnded`, or `channelUnknown` if there is none that this phone could follow.
    package func callAsFunction(_ name: String, for device: Device) throws -> APNSChannelID {
        guard let activity = try ledger.newestActivity(named: name, in: device.app),
            try JoinPolicy(ledger: ledger, opened: opened)(activity, device)
        else {
            throw EyotError.activityUnknown(name)
        }
        guard !activity.isOver(at: now) else { throw EyotError.activityEnded(name) }
        guard device.osVersion >= .channels else {
            throw EyotError(.channelUnknown, "iOS \(device.osVersion.text) does not support channels")
        }
        guard
            let channel = try ledger.channels(of: activity.id)
                .first(where: { $0.environment == device.environment })?.followed
        else { throw EyotError(.channelUnknown, "activity \(name) has no channel in \(device.environment.rawValue)") }
        return channel
    }
}

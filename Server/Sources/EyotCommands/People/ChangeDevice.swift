import EyotDomain

/// Takes in what a backend says of a device. What the app says of it stays; of attributes that both name, the backend's counts.
package struct ChangeDevice {
    let ledger: any Ledger

    package init(ledger: any Ledger) { self.ledger = ledger }

    /// - Throws: `fieldInvalid` where there would be more than there may be; then nothing has changed.
    package func callAsFunction(_ device: Device, _ change: TraitsChange) throws {
        try ledger.put(change.applied(to: ledger.deviceTraits(of: device.id)), of: device)
        try QueueLiveCheck(ledger: ledger)(device)
    }
}

extension Device {
    /// A device of an app that somebody names.
    ///
    /// - Throws: `deviceUnknown`, also where it has been removed.
    package static func known(_ id: DeviceID, of app: AppID, in ledger: any Ledger) throws -> Device {
        guard let device = try ledger.device(id), device.app == app, !device.isForgotten else {
            throw EyotError(.deviceUnknown, "there is no device \(id.rawValue)")
        }
        return device
    }
}

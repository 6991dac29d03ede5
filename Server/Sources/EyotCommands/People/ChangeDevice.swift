import EyotDomain

/// A change of a device's traits by a backend. What the app says of the device stays. If both set an attribute, the
/// backend's value counts.
package struct ChangeDevice {
    let ledger: any Ledger

    package init(ledger: any Ledger) { self.ledger = ledger }

    /// - Throws: `fieldInvalid` if a limit would be exceeded. Then nothing has changed.
    package func callAsFunction(_ device: Device, _ change: TraitsChange) throws {
        try ledger.put(change.applied(to: ledger.deviceTraits(of: device.id)), of: device)
        try QueueLiveCheck(ledger: ledger)(device)
    }
}

extension Device {
    /// The device of an app that a caller names.
    ///
    /// - Throws: `deviceUnknown`, also if the device has been removed.
    package static func known(_ id: DeviceID, of app: AppID, in ledger: any Ledger) throws -> Device {
        guard let device = try ledger.device(id), device.app == app, !device.isForgotten else {
            throw EyotError(.deviceUnknown, "there is no device \(id.rawValue)")
        }
        return device
    }
}

/// What an app's devices are counted by, all of them and by the properties of phones.
package enum AdoptionLevel: String, Sendable, Hashable, CaseIterable {
    /// Devices that are known.
    case devices
    /// Devices that allow Live Activities.
    case activitiesOn
    /// Devices with a start token in use.
    case startToken
    /// Devices with a user.
    case identified
}

/// The numbers of adoption that a device counts in.
package struct AdoptionPlaces: Sendable, Hashable {
    package let app: AppID
    package let keys: Set<CountKey>

    /// - Parameter hasStartToken: Whether it has a start token in use.
    package init(_ device: Device, hasStartToken: Bool) {
        app = device.app
        guard !device.isForgotten else {
            keys = []
            return
        }
        let phone = CountedPhone(device)
        var found: Set<CountKey> = []
        let levels: [(AdoptionLevel, Bool)] = [
            (.devices, true), (.activitiesOn, device.permissions.activities), (.startToken, hasStartToken),
            (.identified, device.user != nil),
        ]
        for (level, isReached) in levels where isReached {
            found.insert(CountKey(app: device.app, activity: .ofApp, .adoption(level)))
            for dimension in CountDimension.allCases {
                let counter = KeptCounter.adoption(level).by(dimension)
                found.insert(CountKey(app: device.app, activity: .ofApp, counter, dimension.value(of: phone)))
            }
        }
        keys = found
    }
}

extension Transaction {
    /// Makes a change of devices or their start tokens, and counts it.
    package func countingAdoption(of devices: [DeviceID], _ change: () throws -> Void) throws {
        let before = try devices.map(adoption)
        try change()
        for (former, device) in zip(before, devices) { count(from: former, to: try adoption(of: device)) }
    }

    /// Counts a device that is new.
    package func countAdoption(ofNew device: Device) {
        count(from: nil, to: AdoptionPlaces(device, hasStartToken: false))
    }

    /// Counts the change of a device.
    func countAdoption(of device: Device, from former: Device) throws {
        // Most changes are of what is not counted.
        let isSame =
            AdoptionPlaces(device, hasStartToken: false) == AdoptionPlaces(former, hasStartToken: false)
        guard !isSame else { return }
        let hasToken = try hasStartToken(device.id)
        count(
            from: AdoptionPlaces(former, hasStartToken: hasToken), to: AdoptionPlaces(device, hasStartToken: hasToken))
    }

    private func adoption(of id: DeviceID) throws -> AdoptionPlaces? {
        guard let device = try ledger.device(id) else { return nil }
        return AdoptionPlaces(device, hasStartToken: try hasStartToken(id))
    }

    private func hasStartToken(_ device: DeviceID) throws -> Bool {
        try ledger.startTokens(of: device).contains { $0.death == nil }
    }

    private func count(from former: AdoptionPlaces?, to places: AdoptionPlaces?) {
        let (old, new) = (former?.keys ?? [], places?.keys ?? [])
        let today = CountSpan(of: now, width: CountSpan.day)
        for (keys, change) in [(old.subtracting(new), -1), (new.subtracting(old), 1)] {
            for var key in keys {
                key.span = today
                ledger.counted.add(change, to: key)
            }
        }
    }
}

import EyotDomain

/// The naming of a phone, or of a user's phones, as a test device. One transaction.
package struct PutTestDevice {
    let ledger: any Ledger

    package init(ledger: any Ledger) { self.ledger = ledger }

    /// - Throws: `deviceUnknown` and `tooManyTestDevices` among others.
    package func callAsFunction(_ testDevice: TestDevice) throws {
        try FieldRule.name.check(testDevice.name, field: "name")
        switch testDevice.target {
        case .device(let id):
            guard try ledger.device(id)?.app == testDevice.app else {
                throw EyotError(.deviceUnknown, "there is no device \(id.rawValue)", field: "device")
            }
        case .user(let user): try FieldRule.identifier.check(user, field: "user")
        }
        let isNew = try ledger.testDevice(testDevice.name, in: testDevice.app) == nil
        guard try !isNew || ledger.testDevices(of: testDevice.app).count < TestDevice.limit else {
            throw EyotError(.tooManyTestDevices, "the app already has \(TestDevice.limit) test devices")
        }
        try ledger.put(testDevice)
    }
}

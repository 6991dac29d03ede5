import EyotContract
import EyotDomain

/// The registration of an installation, the first or a repeated one. One transaction.
package struct RegisterDevice: UseCase {
    package let transaction: Transaction
    let quotas: AppQuotas

    package init(_ transaction: Transaction, quotas: AppQuotas = AppQuotas()) {
        self.transaction = transaction
        self.quotas = quotas
    }

    /// - Parameters:
    ///   - app: The app that the public key of the call belongs to.
    ///   - known: The device secret in the call, or nil if the installation has none. It is answered again, so that a
    ///     lost answer costs nothing.
    ///   - fresh: The secret of a new device, made outside the transaction.
    ///   - seen: How many devices the app had shortly before, see ``AppQuotas/admitsDevice(seen:present:)``.
    ///   - identity: The verdict on the user that the registration names.
    /// - Throws: `installationTaken` if the id belongs to another device, `keyForbidden` if the key is another app's,
    ///   and `tooManyDevices`.
    package func callAsFunction(
        _ registration: DeviceRegistration, of app: App, known: String?, fresh: Keyring.NewSecret,
        seen: Int = .max, identity: IdentityVerdict = .unasked
    ) throws -> DeviceCredentials {
        guard registration.bundleID == app.bundleID else {
            throw EyotError(
                .keyForbidden, "the app key belongs to \(app.bundleID), not to \(registration.bundleID)",
                field: "bundleID")
        }
        guard let osVersion = OSVersion(registration.osVersion) else {
            throw EyotError(.fieldInvalid, "osVersion must be a version such as 18.1", field: "osVersion")
        }
        if let former = try ledger.device(installation: registration.installation, in: app.id) {
            return try again(registration, osVersion, former, known, identity)
        }
        guard try quotas.admitsDevice(seen: seen, present: { try ledger.usage(of: app.id).devices }) else {
            throw EyotError(.tooManyDevices, "the app already has \(quotas.devices) devices")
        }
        var new = NewDevice(
            app: app.id, installation: registration.installation, environment: registration.environment,
            osVersion: osVersion, appVersion: registration.appVersion, permissions: registration.permissions,
            createdAt: now)
        new.language = registration.language
        let inserted = try ledger.insert(new)
        var device = inserted
        try ledger.setSecret(fresh.hash, of: device.id)
        let verdict = try CheckProof(ledger: ledger)(identity, of: device)
        let refusal = try registration.user.flatMap { try device.identify($0, verdict, ledger, at: now) }
        transaction.countAdoption(ofNew: inserted)
        try transaction.record(Fact(.deviceRegistered), of: device.id, in: app.id)
        if device.user != nil { try transaction.update(device, from: inserted) }
        return DeviceCredentials(
            device: String(device.id.rawValue), secret: fresh.secret.text, epoch: device.epoch,
            identity: refusal)
    }

    private func again(
        _ registration: DeviceRegistration, _ osVersion: OSVersion, _ former: Device, _ known: String?,
        _ identity: IdentityVerdict
    ) throws -> DeviceCredentials {
        guard let known, try ledger.device(secret: Keyring.hash(of: known))?.id == former.id else {
            throw EyotError(
                .installationTaken, "installation \(registration.installation) is registered with another secret",
                field: "installation")
        }
        // Reports of the former epoch come first.
        try MergeArrivals(transaction)(of: former.id)
        var device = former
        // Developers report that start tokens die with a major update of the system, although Apple accepts pushes to
        // them. The SDK shows a new token as soon as the phone has one.
        if osVersion.major > former.osVersion.major {
            for token in try ledger.startTokens(of: device.id) {
                try transaction.removeStartToken(of: device.id, type: token.type, in: device.app)
            }
        }
        device.environment = registration.environment
        device.osVersion = osVersion
        device.appVersion = registration.appVersion
        device.permissions = registration.permissions
        device.language = registration.language
        let verdict = try CheckProof(ledger: ledger)(identity, of: device)
        let refusal = try registration.user.flatMap { try device.identify($0, verdict, ledger, at: now) }
        device.epoch += 1
        device.sequence = 0
        device.seenAt = now
        try transaction.update(device, from: former)
        try LeaveFormerUser(transaction: transaction)(on: device, formerly: former.user ?? former.formerUser)
        try QueueLiveCheck(ledger: ledger)(device)
        if device.appVersion != former.appVersion { try JudgeKeeping(transaction: transaction)(on: device) }
        try EndSilence(transaction)(of: device, since: former.seenAt)
        return DeviceCredentials(
            device: String(device.id.rawValue), secret: known, epoch: device.epoch, identity: refusal)
    }
}

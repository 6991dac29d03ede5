import EyotContract
import EyotDomain

/// The creation of an app with its first keys. One transaction.
package struct CreateApp: UseCase {
    /// The new app with its API key, which is shown once.
    package struct Result: Sendable {
        package var app: App
        package var apiKey: Secret
    }

    /// The most bytes of a bundle id. Apple's limit is not documented, so this is a generous guess.
    package static let bundleIDBytes = 155

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Creates the app.
    ///
    /// - Parameters:
    ///   - appKey: Made by ``Keyring``, outside the transaction, because a transaction may run again.
    ///   - apiKey: Made in the same way.
    ///   - opensActivities: Whether its phones may join activities that are neither declared public nor private.
    /// - Throws: `appTaken` if the bundle id exists, `fieldInvalid` if it is malformed.
    package func callAsFunction(
        bundleID: String, name: String, appKey: Keyring.NewSecret, apiKey: Keyring.NewSecret,
        opensActivities: Bool = false
    ) throws -> Result {
        try Self.check(bundleID: bundleID)
        try FieldRule.name.check(name, field: "name")
        guard try ledger.app(bundleID: bundleID) == nil else {
            throw EyotError(.appTaken, "an app \(bundleID) already exists", field: "bundleID")
        }
        var app = try ledger.insertApp(bundleID: bundleID, name: name, publicKey: appKey.secret.text, at: now)
        app.opensActivities = opensActivities
        try ledger.update(unrecorded: app)
        _ = try ledger.insert(
            APIKey(app: app.id, name: "first", hash: apiKey.hash, hint: apiKey.hint, createdAt: now))
        return Result(app: app, apiKey: apiKey.secret)
    }

    /// Checks for letters, digits, hyphens and points, as Apple's page on `CFBundleIdentifier` requires.
    private static func check(bundleID: String) throws(EyotError) {
        let allowed = bundleID.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || FieldRule.isLetterOrDigit(byte)
        }
        guard allowed, (1...bundleIDBytes).contains(bundleID.utf8.count) else {
            throw EyotError(
                .fieldInvalid, "bundleID must have 1 to \(bundleIDBytes) letters, digits, hyphens and dots",
                field: "bundleID")
        }
    }
}

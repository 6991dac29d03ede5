/// The registration of one installation of the app.
public struct DeviceRegistration: Sendable, Hashable {
    /// A random UUID. The SDK makes it at its first launch and keeps it out of backups.
    public var installation: String
    /// The push environment of this build's tokens.
    public var environment: PushEnvironment
    /// The app's bundle identifier.
    public var bundleID: String
    /// The version of iOS, for example `18.1`.
    public var osVersion: String
    /// The app's version and build, in the app's own form.
    public var appVersion: String
    /// The SDK's version.
    public var sdkVersion: String
    /// The Live Activity switches in Settings.
    public var permissions: DevicePermissions
    /// The backend's id of the app's user; nil if unknown.
    public var user: String?
    /// The signature of the app's backend about that user; nil if there is none.
    public var signature: IdentitySignature?
    /// The language of the app on this phone, a BCP 47 tag. It selects the text of an alert in several languages.
    public var language: String?

    /// Makes a registration.
    public init(
        installation: String, environment: PushEnvironment, bundleID: String, osVersion: String, appVersion: String,
        sdkVersion: String, permissions: DevicePermissions, user: String? = nil, signature: IdentitySignature? = nil,
        language: String? = nil
    ) {
        self.installation = installation
        self.environment = environment
        self.bundleID = bundleID
        self.osVersion = osVersion
        self.appVersion = appVersion
        self.sdkVersion = sdkVersion
        self.permissions = permissions
        self.user = user
        self.signature = signature
        self.language = language
    }
}

/// The two switches for Live Activities in Settings. They are independent of the permission for notifications.
public struct DevicePermissions: Sendable, Hashable {
    /// `ActivityAuthorizationInfo.areActivitiesEnabled`.
    public var activities: Bool
    /// `ActivityAuthorizationInfo.frequentPushesEnabled`.
    public var frequentPushes: Bool

    /// Makes a pair of switches.
    public init(activities: Bool, frequentPushes: Bool) {
        self.activities = activities
        self.frequentPushes = frequentPushes
    }
}

/// The server's answer to a registration.
public struct DeviceCredentials: Sendable, Hashable {
    /// The server's id of this installation.
    public var device: String
    /// The secret that authenticates later calls. The server shows it only in this answer, and the SDK stores it.
    public var secret: String
    /// The epoch that numbers later changes. A later registration gets a higher one.
    public var epoch: Int
    /// Why the phone has no user now; nil unless the server refused the proof of the user that the phone named.
    public var identity: IdentityRefusal?

    /// Makes credentials.
    public init(device: String, secret: String, epoch: Int, identity: IdentityRefusal? = nil) {
        self.device = device
        self.secret = secret
        self.epoch = epoch
        self.identity = identity
    }
}

extension DeviceCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Device and epoch. The secret is left out so that it cannot reach a log.
    public var description: String { "device \(device), epoch \(epoch)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// The same content for `dump` and test reports.
    public var customMirror: Mirror { Mirror(self, children: ["device": device, "epoch": epoch]) }
}

// MARK: - JSON

extension DeviceRegistration {
    /// Reads a request's body.
    ///
    /// - Throws: ``JSONFieldError`` that names the member.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        installation = try fields.identifier("installation")
        let environmentName = try fields.required("environment", fields.string("environment"))
        guard let environment = PushEnvironment(rawValue: environmentName) else {
            throw fields.invalid("environment", "must be sandbox or production")
        }
        self.environment = environment
        bundleID = try fields.identifier("bundleID")
        osVersion = try fields.identifier("osVersion")
        appVersion = try fields.identifier("appVersion")
        sdkVersion = try fields.identifier("sdkVersion")
        var nested = try fields.required("permissions", fields.fields("permissions"))
        permissions = try DevicePermissions(fields: &nested)
        user = fields.has("user") ? try fields.optionalIdentifier("user") : nil
        signature = try fields.identitySignature("signature")
        language = try fields.string("language")
        if let language, !LanguageTag.isValid(language) {
            throw fields.invalid("language", "must be a BCP 47 language tag such as pt-BR")
        }
        try fields.finish()
    }

    /// The registration as a request's body.
    public var json: JSONValue {
        var object = JSONObject([
            ("installation", .string(installation)), ("environment", .string(environment.rawValue)),
            ("bundleID", .string(bundleID)), ("osVersion", .string(osVersion)), ("appVersion", .string(appVersion)),
            ("sdkVersion", .string(sdkVersion)), ("permissions", permissions.json),
        ])
        object["user"] = user.map(JSONValue.string)
        object["signature"] = signature.map { .string($0.text) }
        object["language"] = language.map(JSONValue.string)
        return .object(object)
    }
}

extension DevicePermissions {
    /// Reads the two switches.
    package init(fields: inout JSONFields) throws(JSONFieldError) {
        activities = try fields.required("activities", fields.bool("activities"))
        frequentPushes = try fields.required("frequentPushes", fields.bool("frequentPushes"))
        try fields.finish()
    }

    /// The two switches as an object.
    public var json: JSONValue {
        ["activities": .bool(activities), "frequentPushes": .bool(frequentPushes)]
    }
}

extension DeviceCredentials {
    /// Reads the server's answer. Unknown members, which a newer server may add, are ignored.
    public init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        device = try fields.required("device", fields.string("device"))
        secret = try fields.required("secret", fields.string("secret"))
        epoch = try fields.required("epoch", fields.integer("epoch"))
        identity = try fields.identityRefusal("identity")
    }

    /// The credentials as an answer's body.
    public var json: JSONValue {
        var object = JSONObject([
            ("device", .string(device)), ("secret", .string(secret)), ("epoch", .integer(epoch)),
        ])
        object["identity"] = identity?.json
        return .object(object)
    }
}

extension JSONFields {
    /// Reads a required string of 1 to ``DeviceLimits/identifierBytes`` bytes.
    public mutating func identifier(_ name: String) throws(JSONFieldError) -> String {
        try required(name, optionalIdentifier(name))
    }

    /// Reads an optional string of 1 to ``DeviceLimits/identifierBytes`` bytes.
    public mutating func optionalIdentifier(_ name: String) throws(JSONFieldError) -> String? {
        guard let text = try string(name) else { return nil }
        guard DeviceLimits.isIdentifier(text) else { throw invalid(name, DeviceLimits.identifierRule) }
        return text
    }
}

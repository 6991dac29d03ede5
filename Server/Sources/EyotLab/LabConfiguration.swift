import APNSSimulator
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// The settings of a lab.
public struct LabConfiguration: Sendable {
    /// The most phones of one lab. Each costs about 200 KB while its app runs.
    public static let phoneLimit = 10_000

    /// The `eyot` executable that runs the server; by default the running one.
    public var executable: URL
    /// How many phones the lab starts with.
    public var phones: Int
    /// The options of these phones.
    public var phoneOptions = PhoneOptions()
    /// How many servers run on the database, 1 to ``nodeLimit``. More than one needs PostgreSQL.
    public var nodes = 1
    /// Where the servers keep their data.
    public var database = LabDatabase.file
    /// The first server's port; 0 for a free one. The others always get free ports.
    public var httpPort = 0
    /// The port of the sandbox push service; 0 for a free one. The other endpoints always get free ports.
    public var apnsPort = 0
    /// The folder of database, phones, tokens and keys; nil for a folder that is deleted at the end.
    public var folder: URL?
    /// The types of the phones' app. A later type replaces an earlier one with the same name.
    public var types: [LabType] = LabType.builtIn
    /// The customer's own code that the phones' app runs at each launch, as on a phone. `Eyot.shared` is the phone's
    /// SDK, configured for the lab's server, with the user already logged in. Nil means an app that registers all types
    /// and follows all cards.
    public var appLaunch: (@Sendable (Eyot) async throws -> Void)?
    /// The phones' behaviour where Apple's documentation is silent.
    public var phoneRules = PhoneRules()
    /// The push service's behaviour where Apple leaves it open.
    public var pushServiceRules = APNSRules()
    /// How many broadcasts of one channel Apple accepts within a minute; nil means no limit. Apple publishes no figure,
    /// and about four are reported.
    public var broadcastsPerMinute: Int?
    /// Whether the server gets the schemas of the types, and refuses states that phones could not decode. Without them
    /// it accepts all states, and the phones drop those that do not decode.
    public var givesSchemas = true
    /// The seed of all tokens and all other random choices.
    public var seed: UInt64 = 0
    /// Further settings of the server, by their variables.
    package var serverSettings: [String: String] = [:]
    /// The server's log level.
    public var serverLogLevel = "info"
    /// How many requests to the push service are kept for ``Lab/simulator``.
    public var recordedPushes = 1_000
    /// A receiver of pushes that replaces the lab's phones. It suits tests of more phones than a lab can simulate in
    /// full.
    package var receiver: (any PushReceiver)?
    /// Receives a line about each problem on a phone.
    public var report: @Sendable (String) -> Void = { _ in }

    /// Makes the settings of a lab with this many phones.
    public init(phones: Int = 0, executable: URL? = nil) {
        self.phones = phones
        self.executable = executable ?? Bundle.main.executableURL ?? URL(fileURLWithPath: "/proc/self/exe")
    }

    /// The bundle identifier of the lab's app.
    public static let bundleID = "app.eyot.lab"
    /// The lab's developer team.
    public static let teamID = "EYOTLAB001"
    /// The id of the lab's APNs key.
    public static let keyID = "LABKEY0001"
}

/// The options of new phones.
public struct PhoneOptions: Sendable {
    /// The phones' user; nil gives each phone its own user, `user-N` for `phone-N`.
    public var user: String?
    /// Tags of that user.
    public var tags = ["fans"]
    /// The version of iOS.
    public var os = IOSVersion(26)
    /// The push environment of the app's build.
    public var environment = PushEnvironment.sandbox
    /// The user's settings on the phone.
    public var settings = PhoneSettings()
    /// The phones' behaviour where Apple's documentation is silent; nil means ``LabConfiguration/phoneRules``.
    public var rules: PhoneRules?
    /// The build of the app.
    public var build = PhoneBuild()
    /// Whether the app is launched at once.
    public var isLaunched = true

    /// Makes the default options.
    public init() {}
}

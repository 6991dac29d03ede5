import APNSSimulator
import EyotContract
import EyotKit
import Foundation
import PhoneSimulator

/// How a lab is set up.
public struct LabConfiguration: Sendable {
    /// Phones that one lab takes. Each costs some 200 KB while its app runs.
    public static let phoneLimit = 10_000

    /// The `eyot` executable that runs the server; by default the running one.
    public var executable: URL
    /// Phones to begin with.
    public var phones: Int
    /// What these phones are.
    public var phoneOptions = PhoneOptions()
    /// The server's port, 0 for a free one.
    public var httpPort = 0
    /// The port of the sandbox push service, 0 for a free one. The other endpoints always get free ones.
    public var apnsPort = 0
    /// Where database, phones, tokens and keys are kept; nil for a folder that is deleted at the end.
    public var folder: URL?
    /// The types of the phones' app. A later one replaces an earlier one of the same name.
    public var types: [LabType] = LabType.builtIn
    /// What the phones' app does at each launch: a customer's own code, run as on a phone. `Eyot.shared` is the SDK of the
    /// phone, configured for the lab's server; whoever uses the phone is logged in already. Nil is an app that registers
    /// every type and follows all cards.
    public var appLaunch: (@Sendable (Eyot) async throws -> Void)?
    /// What the phones do where Apple's documentation is silent.
    public var phoneRules = PhoneRules()
    /// Broadcasts that Apple takes of one channel within a minute; nil is no limit. Apple publishes no figure, and about four
    /// are reported.
    public var broadcastsPerMinute: Int?
    /// Whether the server gets the schemas of the types, and so refuses what phones could not decode. Without them it
    /// takes everything, and the phones drop what does not decode.
    public var givesSchemas = true
    /// Decides every token, and with that everything that is left to chance.
    public var seed: UInt64 = 0
    /// The server's log level.
    public var serverLogLevel = "info"
    /// Requests to the push service that are kept for ``Lab/simulator``.
    public var recordedPushes = 1_000
    /// Takes the pushes instead of the lab's phones: for very many phones of which less is wanted than a whole one.
    package var receiver: (any PushReceiver)?
    /// Takes a line about a problem on a phone.
    public var report: @Sendable (String) -> Void = { _ in }

    /// A lab with so many phones.
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

/// What new phones are.
public struct PhoneOptions: Sendable {
    /// Whose phones they are; nil gives each a user of its own, `user-N` for `phone-N`.
    public var user: String?
    /// Tags of that user.
    public var tags = ["fans"]
    /// The version of iOS.
    public var os = IOSVersion(26)
    /// Where the tokens of the app's build belong.
    public var environment = PushEnvironment.sandbox
    /// How the person has set up the phone.
    public var settings = PhoneSettings()
    /// What they do where Apple's documentation is silent; nil leaves it to ``LabConfiguration/phoneRules``.
    public var rules: PhoneRules?
    /// The build of the app.
    public var build = PhoneBuild()
    /// Whether the app is opened at once.
    public var isLaunched = true

    /// What phones are unless told otherwise.
    public init() {}
}

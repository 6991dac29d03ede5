/// The reason that a lab cannot do something.
public enum LabError: Error, Sendable, Equatable {
    /// The folder for the lab's state cannot be used.
    case folder(path: String, reason: String)
    /// Another lab runs on the same folder.
    case folderInUse(path: String)
    /// The server's executable failed. The text says how, and where to look.
    case server(String)
    /// The server refused a call of the lab's own.
    case refused(call: String, status: Int, reason: String)
    /// There is no phone of this name.
    case noSuchPhone(String)
    /// The phone's app has no such type.
    case noSuchType(String)
    /// The phone has no such card, or several cards match.
    case noSuchCard(String)
    /// The app is not running.
    case appNotRunning(phone: String)
    /// The phone's iOS is as new as the requested one, or newer.
    case systemNotNewer(String)
    /// ActivityKit refused to start a card.
    case startRefused(String)
    /// A state for the app does not decode as its type. The text names the member.
    case stateInvalid(String)
    /// The lab would have more phones than its limit.
    case tooManyPhones
    /// The process would have more custom types than its limit.
    case tooManyTypes
    /// A PostgreSQL server of the lab's own failed. The text says how.
    case postgres(String)
    /// The lab's settings contradict each other. The text says how.
    case settings(String)
    /// There is no node of this name or number.
    case noSuchNode(String)
    /// The node of this name runs.
    case nodeRuns(String)
    /// The node of this name is paused.
    case nodePaused(String)
    /// The node of this name is stopped.
    case nodeStopped(String)
    /// The lab did not start its database, so it cannot stop it.
    case databaseNotOwned
    /// The lab's own database runs.
    case databaseRuns
    /// The lab's own database is stopped.
    case databaseStopped
    /// The lab's own database is being started or stopped.
    case databaseChanging
}

extension LabError: CustomStringConvertible {
    /// The problem and its remedy, as a sentence.
    public var description: String {
        switch self {
        case .folder(let path, let reason): "the folder \(path) cannot be used: \(reason)"
        case .folderInUse(let path): "another lab runs on \(path); stop it, or use another folder"
        case .server(let words): words
        case .refused(let call, let status, let reason): "the server refused \(call) (\(status)): \(reason)"
        case .noSuchPhone(let id): "there is no phone \(id); GET /phones lists them"
        case .noSuchType(let name): "the phones' app has no type \(name); give it with --type"
        case .noSuchCard(let words): words
        case .appNotRunning(let phone): "the app on \(phone) does not run; relaunch it first"
        case .systemNotNewer(let words): words
        case .startRefused(let reason): "ActivityKit refused the start: \(reason)"
        case .stateInvalid(let words): words
        case .tooManyPhones: "a lab takes at most \(LabConfiguration.phoneLimit) phones"
        case .postgres(let reason): "PostgreSQL: \(reason)"
        case .settings(let words): words
        case .noSuchNode(let word): "there is no node \(word); GET /nodes lists them"
        case .nodeRuns(let name): "\(name) runs; stop, kill or pause it first"
        case .nodePaused(let name): "\(name) is paused; continue or kill it first"
        case .nodeStopped(let name): "\(name) is stopped; start it first"
        case .databaseNotOwned: "the lab did not start its database; only the server of --postgres can be stopped"
        case .databaseRuns: "the database runs; stop it first"
        case .databaseStopped: "the database is stopped; start it first"
        case .databaseChanging: "the database is being started or stopped; try again when that call is answered"
        case .tooManyTypes: "one process takes at most \(CustomTypeNames.capacity) custom types"
        }
    }
}

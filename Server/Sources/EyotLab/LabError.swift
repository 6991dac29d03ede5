/// Why a lab cannot do what is asked of it.
public enum LabError: Error, Sendable, Equatable {
    /// The folder for the lab's state cannot be used.
    case folder(path: String, reason: String)
    /// Another lab runs on the same folder.
    case folderInUse(path: String)
    /// The server's executable did not do what it should; the words say what and where to look.
    case server(String)
    /// The server refused a call of the lab's own.
    case refused(call: String, status: Int, reason: String)
    /// There is no phone of this name.
    case noSuchPhone(String)
    /// The phone's app has no such type.
    case noSuchType(String)
    /// The phone has no such card, or more than one could be meant.
    case noSuchCard(String)
    /// The app does not run.
    case appNotRunning(phone: String)
    /// The phone's iOS is as new as the one that it is to get.
    case systemNotNewer(String)
    /// ActivityKit refused to start a card.
    case startRefused(String)
    /// A state that the app is to show does not decode as its type; the words name the member.
    case stateInvalid(String)
    /// There would be more phones than a lab takes.
    case tooManyPhones
    /// There would be more custom types than a process takes.
    case tooManyTypes
}

extension LabError: CustomStringConvertible {
    /// What is wrong and what to do, in a sentence.
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
        case .tooManyTypes: "one process takes at most \(CustomTypeNames.capacity) custom types"
        }
    }
}

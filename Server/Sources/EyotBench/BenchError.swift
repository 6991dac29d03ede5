/// The error of a measurement that could not be made.
public enum BenchError: Error, CustomStringConvertible {
    /// These programs are not installed.
    case programsMissing([String])
    /// A program ended with a status other than 0, or could not be started.
    case programFailed(String, status: Int32)
    /// The executable of the server is not beside that of the measurements.
    case serverMissing(String)
    /// An activity did not come to rest in time.
    case stuck(String)
    /// Something required is missing.
    case missing(String)
    /// The activity came to rest with another number of pushes than cards.
    case lost(pushes: Int, of: Int)
    /// Some cards do not have the tokens that their phones reported.
    case tokensNotSet(Int, of: Int)
    /// The server refused a call that it must accept.
    case refused(call: String, reason: String)

    /// A sentence with the error.
    public var description: String {
        switch self {
        case .programsMissing(let names):
            "\(names.joined(separator: ", ")) not found; on Debian: apt-get install nghttp2-client nghttp2-server openssl"
        case .programFailed(let name, let status): "\(name) ended with \(status)"
        case .serverMissing(let path):
            "\(path) is not there; build it with the same options: swift build --package-path Server --product eyot"
        case .stuck(let name): "\(name) did not come to rest in time"
        case .missing(let what): "\(what) is not there"
        case .lost(let pushes, let all): "\(pushes) pushes left for \(all) cards"
        case .tokensNotSet(let cards, let all): "\(cards) of \(all) cards do not have the token that was reported"
        case .refused(let call, let reason): "the server refused \(call): \(reason)"
        }
    }
}

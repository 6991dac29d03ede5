/// Why a measurement could not be made.
public enum BenchError: Error, CustomStringConvertible {
    /// They are not installed.
    case programsMissing([String])
    /// One ended with a status other than 0, or could not be started.
    case programFailed(String, status: Int32)
    /// The system gave none.
    case noPort
    /// An activity did not come to rest in time.
    case stuck(String)
    /// It is not where it has to be.
    case missing(String)
    /// It came to rest with another number of pushes than there are cards.
    case lost(pushes: Int, of: Int)
    /// Some cards do not have the tokens that their phones reported.
    case tokensNotSet(Int, of: Int)
    /// The server refused what it has to take.
    case refused(call: String, reason: String)

    /// What is missing or went wrong.
    public var description: String {
        switch self {
        case .programsMissing(let names):
            "\(names.joined(separator: ", ")) not found; on Debian: apt-get install nghttp2-client nghttp2-server openssl"
        case .programFailed(let name, let status): "\(name) ended with \(status)"
        case .noPort: "no free port"
        case .stuck(let name): "\(name) did not come to rest in time"
        case .missing(let what): "\(what) is not there"
        case .lost(let pushes, let all): "\(pushes) pushes left for \(all) cards"
        case .tokensNotSet(let cards, let all): "\(cards) of \(all) cards do not have the token that was reported"
        case .refused(let call, let reason): "the server refused \(call): \(reason)"
        }
    }
}

import EyotContract
import EyotDomain

extension Ledger {
    /// The error for a name that no activity has. It names a similar activity, so it must not be sent to phones.
    ///
    /// The names of the 200 newest activities are compared.
    func unknownActivity(_ name: String, in app: AppID) throws -> EyotError {
        var error = EyotError.activityUnknown(name)
        // Short names are all similar to each other.
        guard name.count >= 4 else { return error }
        // Names with other digits are other things: match-7 is no misspelling of match-8.
        let figures = name.filter(\.isNumber)
        let known = try newestActivityNames(of: app, limit: 200).filter { $0.filter(\.isNumber) == figures }
        if let near = NearMiss.of(name, among: known) { error.detail += "; did you mean \(near)?" }
        return error
    }
}

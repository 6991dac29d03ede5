import EyotContract
import EyotDomain

extension Ledger {
    /// The error for a name that no activity has. It names the one that was meant, so phones do not get it.
    ///
    /// The names of the 200 newest activities are compared.
    func unknownActivity(_ name: String, in app: AppID) throws -> EyotError {
        var error = EyotError.activityUnknown(name)
        // Every name of two letters is near another.
        guard name.count >= 4 else { return error }
        // Names with other figures name other things: nobody means match-7 by match-8.
        let figures = name.filter(\.isNumber)
        let known = try newestActivityNames(of: app, limit: 200).filter { $0.filter(\.isNumber) == figures }
        if let near = NearMiss.of(name, among: known) { error.detail += "; did you mean \(near)?" }
        return error
    }
}

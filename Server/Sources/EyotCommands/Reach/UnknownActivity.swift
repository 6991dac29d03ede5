import EyotContract
import EyotDomain

extension Ledger {
    /// That there is no activity of a name, and which one was meant: only a backend is told, never a phone.
    ///
    /// It reads the names of the 200 newest activities.
    func unknownActivity(_ name: String, in app: AppID) throws -> EyotError {
        var error = EyotError.activityUnknown(name)
        // Every name of two letters is near another.
        guard name.count >= 4 else { return error }
        // Names that differ in their figures are different things: match-7 is not meant by match-8.
        let figures = name.filter(\.isNumber)
        let known = try newestActivityNames(of: app, limit: 200).filter { $0.filter(\.isNumber) == figures }
        if let near = NearMiss.of(name, among: known) { error.detail += "; did you mean \(near)?" }
        return error
    }
}

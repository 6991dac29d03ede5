import EyotKit

extension Braze.LiveActivities {
    /// Hears what happens from now on; what is so already is not told.
    public func subscribeToStateUpdates(_ update: @MainActor @escaping (UpdateEvent) -> Void) -> Braze.Cancellable {
        let cancellable = Braze.Cancellable()
        link.with { [weak cancellable] eyot in
            cancellable?.pass(eyot.laterEvents) { event in
                if let known = UpdateEvent(event) { update(known) }
            }
        }
        return cancellable
    }

    /// Hears what goes wrong from now on.
    public func subscribeToErrors(_ handler: @MainActor @escaping (ErrorEvent) -> Void) -> Braze.Cancellable {
        let cancellable = Braze.Cancellable()
        cancellable.pass(ownErrors.listen(hearingEarlier: false)) { handler($0) }
        link.with { [weak cancellable] eyot in
            cancellable?.pass(eyot.laterEvents) { event in
                guard case .problem(let problem) = event else { return }
                for error in await ErrorEvent.errors(of: problem, eyot) { handler(error) }
            }
        }
        return cancellable
    }
}

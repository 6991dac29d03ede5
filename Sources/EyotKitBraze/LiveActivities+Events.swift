import EyotKit

extension Braze.LiveActivities {
    /// Subscribes to events from now on; the present state is not reported.
    public func subscribeToStateUpdates(_ update: @MainActor @escaping (UpdateEvent) -> Void) -> Braze.Cancellable {
        let cancellable = Braze.Cancellable()
        link.with { [weak cancellable] eyot in
            cancellable?.pass(eyot.laterEvents) { event in
                if let known = UpdateEvent(event) { update(known) }
            }
        }
        return cancellable
    }

    /// Subscribes to errors from now on.
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

import EyotKit

extension Braze {
    /// Why the server may still start cards.
    public enum PushUnregistrationError: Error, Sendable, Hashable {
        /// No such type is registered.
        case noPushToStartTokens
        /// There is no token at all. Here it is no failure, so it does not come.
        case noPushToken
        /// The server limits the rate of requests.
        case rateLimited
        /// The server could not be reached (no status), or refused. The request is still retried if that can help.
        case requestFailed(httpStatusCode: Int?, isRetriable: Bool, message: String)
        /// `enabled` is false, or nothing is configured.
        case sdkDisabled
        /// The instance has stopped.
        case sdkDeallocated

        /// The result of a body that throws only these errors.
        static func result(
            isolation: isolated (any Actor)? = #isolation, of body: () async throws -> Void
        ) async -> Result<Void, Self> {
            do {
                return .success(try await body())
            } catch let error as Self {
                return .failure(error)
            } catch {
                return .failure(.requestFailed(httpStatusCode: nil, isRetriable: false, message: "\(error)"))
            }
        }
    }
}

extension Braze.LiveActivities {
    /// Withdraws the backend's permission to start cards of these types. They are given by their Swift names or by
    /// those of their registrations; nil for all.
    ///
    /// It returns when the server has removed them. If it fails without a network, the request is sent when there is
    /// one.
    ///
    /// - Throws: ``Braze/PushUnregistrationError``.
    public func unregisterPushToStart(types: [String]? = nil) async throws {
        guard link.isEnabled.withLock({ $0 }), let eyot = link.present else {
            throw Braze.PushUnregistrationError.sdkDisabled
        }
        let events = eyot.laterEvents
        var waiting = await eyot.endStarts(of: types)
        guard !waiting.isEmpty else { throw Braze.PushUnregistrationError.noPushToStartTokens }
        var removed: Set<String> = []
        for await event in events {
            switch event {
            case .startToken(let type, .removed): removed.insert(type)
            // The type was registered again meanwhile. The new registration supersedes the removal, which the server
            // may never receive.
            case .startToken(let type, .seen) where removed.contains(type), .startToken(let type, .removalConfirmed):
                waiting.remove(type)
                if waiting.isEmpty { return }
            case .problem(let problem):
                if let failure = Braze.PushUnregistrationError(problem) { throw failure }
            default: continue
            }
        }
        try Task.checkCancellation()
        throw Braze.PushUnregistrationError.sdkDeallocated
    }

    /// Does the same with a completion handler.
    public func unregisterPushToStart(
        types: [String]? = nil, completion: (@MainActor (Result<Void, Braze.PushUnregistrationError>) -> Void)? = nil
    ) {
        Task { @MainActor in
            let result = await Braze.PushUnregistrationError.result { try await unregisterPushToStart(types: types) }
            completion?(result)
        }
    }

    /// The backend may start no more cards of this type.
    @available(*, deprecated, message: "use unregisterPushToStart(types:)")
    public func optOutPushToStart(type: String) { unregisterPushToStart(types: [type], completion: nil) }
}

extension Braze.PushUnregistrationError {
    /// Nil for a problem that has nothing to do with it.
    fileprivate init?(_ problem: EyotProblem) {
        switch problem {
        case .serverUnavailable(let reason, _):
            self = .requestFailed(httpStatusCode: nil, isRetriable: true, message: reason)
        case .registrationRefused(let status, let reason),
            .changeRefused("removeStartToken", _, let status, let reason):
            self =
                status == 429
                ? .rateLimited : .requestFailed(httpStatusCode: status, isRetriable: false, message: reason)
        default: return nil
        }
    }
}

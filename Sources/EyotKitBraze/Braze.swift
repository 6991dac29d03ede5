import EyotContract
@_exported import EyotKit

/// The calls that apps make to Braze's SDK for Live Activities, over EyotKit.
///
/// An app calls `Eyot.configure(…)` once and creates an instance without arguments, instead of `Braze(configuration:)`.
/// Earlier calls are kept until then. They are declared for the versions of iOS that Braze declares. EyotKit begins
/// with iOS 16.2, so they have no effect on 16.1.
public final class Braze: Sendable {
    /// Live Activities.
    public let liveActivities: LiveActivities
    let link: EyotLink

    /// Creates an instance over the shared Eyot, which may be configured already or later.
    public convenience init() { self.init(EyotLink(fixed: Eyot.shared)) }

    /// Makes an instance over an Eyot of the app's own.
    public convenience init(eyot: Eyot) { self.init(EyotLink(fixed: eyot)) }

    private init(_ link: EyotLink) {
        self.link = link
        liveActivities = LiveActivities(link)
    }

    /// Whether calls have an effect. ``logout()`` ends that; set it again for the next person.
    public var enabled: Bool {
        get { link.isEnabled.withLock { $0 } }
        set { link.isEnabled.withLock { $0 = newValue } }
    }

    // MARK: The person

    /// Sets the app's user by the backend's id of 1 to 256 bytes. Push-to-start tokens move to this user.
    ///
    /// - Parameter sdkAuthSignature: the app's backend's signature for this user: a JWT with `userId` as its `sub`.
    public func changeUser(
        userId: String, sdkAuthSignature: String? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) {
        link.with { $0.identify(userId, signature: sdkAuthSignature) }
    }

    /// A newer signature about the same person.
    public func set(sdkAuthenticationSignature signature: String) {
        link.with { $0.renewSignature(signature) }
    }

    /// Logs the person out: the backend may start no more cards here, running ones go as
    /// `EyotConfiguration.cardsOnLogout` says, and ``enabled`` is false afterwards.
    ///
    /// - Throws: ``PushUnregistrationError``, and then the person is still logged in. Having no token is no failure.
    public func logout() async throws {
        do {
            try await liveActivities.unregisterPushToStart()
        } catch PushUnregistrationError.noPushToStartTokens {
            // Nothing to take back: there was no type, or no token yet.
        }
        link.with { $0.logout() }
        enabled = false
    }

    /// Does the same with a completion handler.
    public func logout(completion: (@MainActor (Result<Void, PushUnregistrationError>) -> Void)? = nil) {
        Task { @MainActor in
            let result = await PushUnregistrationError.result { try await self.logout() }
            completion?(result)
        }
    }
}

/// The way to an instance of Eyot that may not be there yet.
final class EyotLink: Sendable {
    private let fixed: Eyot?
    let isEnabled = Guarded(true)

    init(fixed: Eyot?) { self.fixed = fixed }

    /// The instance, if it already exists.
    var present: Eyot? { fixed ?? Eyot.shared }

    /// Calls `work` with the instance, at once or as soon as there is one. It does nothing if the app has switched
    /// itself off.
    func with(_ work: @escaping @Sendable (Eyot) -> Void) {
        guard isEnabled.withLock({ $0 }) else { return }
        if let fixed { work(fixed) } else { Eyot.whenConfigured(work) }
    }

    /// Waits for the instance; nil if the task is cancelled first.
    func awaited() async -> Eyot? {
        if let present { return present }
        return await Eyot.configured()
    }

    /// Returns when the task is cancelled.
    func untilCancelled() async {
        let (silence, feed) = AsyncStream<Void>.makeStream()
        for await _ in silence {}
        feed.finish()
    }
}

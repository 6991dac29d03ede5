import EyotKit
import Foundation

/// The registry of an app's types in a cross-framework plugin. The app calls it from its `AirshipPluginExtender`.
@available(iOS 16.1, *)
public actor LiveActivityManager {
    /// The only instance.
    public static let shared = LiveActivityManager()

    private init() {}

    /// Registers the app's types. Call it at every launch, once and early, instead of
    /// ``AirshipChannel/restoreLiveActivityTracking(callback:)``.
    ///
    /// - Throws: ``LiveActivitySetupError/alreadyInitialized`` if it was already called in this launch.
    @MainActor
    public func setup(setupBlock: @escaping @MainActor @Sendable (Configurator) async -> Void) throws {
        guard Eyot.isFirst("LiveActivityManager.setup") else { throw LiveActivitySetupError.alreadyInitialized }
        Airship.channel.restoreLiveActivityTracking { restorer in
            guard let restorer = restorer as? Restorer else { return }
            await setupBlock(Configurator(restorer: restorer))
        }
    }

    /// The registrar of the app's types.
    public struct Configurator: Sendable {
        let restorer: Restorer

        /// Restores a type and follows its cards, including those that the app did not start.
        ///
        /// - Parameters:
        ///   - attributesType: the type's name in the app's other language.
        ///   - airshipNameExtractor: the name of a card by its attributes. Without it new cards are not followed.
        public func register<T: ActivityAttributes>(
            forType type: Activity<T>.Type, attributesType: String = String(describing: T.self),
            airshipNameExtractor: (@Sendable (T) -> String)? = nil
        ) async {
            await restorer.restore(type, registration: attributesType, name: airshipNameExtractor)
        }
    }
}

/// Why ``LiveActivityManager/setup(setupBlock:)`` did nothing.
public enum LiveActivitySetupError: LocalizedError, Sendable {
    /// It was called before in this launch.
    case alreadyInitialized

    /// A description of the error.
    public var errorDescription: String? {
        switch self {
        case .alreadyInitialized: "The Live Activities of this app are set up already; that is done once in a launch."
        }
    }
}

// Re-exports the values of cards: an app that imports only this module can use their members.
@_exported import EyotContract
import EyotKit

/// Live Activities for code that is not Swift. Cards are started, changed, ended and listed by the name of their type
/// and with values as JSON.
///
/// Make one at launch, register every type, and set ``shared`` for the native half of a JavaScript or Dart binding. The
/// bridge works on the cards alone. With an ``Eyot`` instance the cards are also followed. The shapes are those of
/// Airship's bridge for React Native, Capacitor and Flutter.
@MainActor
public final class LiveActivityBridge {
    /// The bridge that bindings call; nil until the app has set it.
    public static var shared: LiveActivityBridge?

    /// The most bytes of a request. ActivityKit accepts 4 KB of attributes and state in any notation.
    public nonisolated static let requestLimit = 65_536

    private let eyot: Eyot?
    private let capabilities: Capabilities
    /// The types in the order of their registration.
    private(set) var types: [any BridgedType] = []
    /// The readers of ``changes()``.
    var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastReader = 0

    /// Makes a bridge without types.
    ///
    /// - Parameters:
    ///   - eyot: follows the cards and reports them to the server. Without it the server does not know the cards.
    ///   - capabilities: the abilities of the system; nil takes those of `eyot`, or of the system itself.
    public init(eyot: Eyot? = nil, capabilities: Capabilities? = nil) {
        self.eyot = eyot
        self.capabilities = capabilities ?? eyot?.configuration.capabilities ?? .current
    }

    /// Registers a type, so that its cards can be used in calls. Call it early at every launch, once for each type.
    /// With an `Eyot` instance it also registers the type for starts by push and resumes its cards.
    ///
    /// - Parameters:
    ///   - attributesType: the name of the type in calls; nil takes its bare name, as in pushes.
    ///   - name: returns the name by which the backend addresses a card; see `Eyot.resume(_:name:)` for the default.
    /// - Throws: ``BridgeError/Code/typeAlreadyRegistered``.
    @available(iOS 16.2, *)
    public func register<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, attributesType: String? = nil, name: (@Sendable (Attributes) -> String?)? = nil
    ) throws(BridgeError) {
        guard capabilities.activities else { return }
        let typeName = attributesType ?? Activity<Attributes>.typeName
        guard !types.contains(where: { $0.name == typeName || $0.isOf(type) }) else {
            throw BridgeError(.typeAlreadyRegistered, "\(type), as \(typeName), was registered before")
        }
        add(nonisolatedType(type), typeName: typeName, cardName: name.map { erased($0) })
        eyot?.register(type)
        eyot?.resume(type, name: name)
        wakeReaders()
    }

    @available(iOS 16.2, *)
    private func add<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, typeName: String, cardName: (@Sendable (Any) -> String?)?
    ) {
        types.append(TypedCards<Attributes>(name: typeName, cardName: cardName, eyot: eyot))
    }

    /// Whether the SDK can use the system's Live Activities.
    var isAvailable: Bool { capabilities.activities }

    /// Makes the readers of ``changes()`` look at the cards again.
    func wakeReaders() {
        for reader in readers.values { reader.yield() }
    }
}

// The values of cards: an app that imports this module alone can use their members.
@_exported import EyotContract
import EyotKit

/// Live Activities for code that is not Swift: cards are started, changed, ended and listed by the name of their type and
/// with values as JSON.
///
/// Make one at launch, register every type, and give it to ``shared`` for the native half of a JavaScript or Dart binding.
/// It works on the cards alone, and with an ``Eyot`` instance has them followed, too. The shapes are those of Airship's
/// bridge for React Native, Capacitor and Flutter.
@MainActor
public final class LiveActivityBridge {
    /// The bridge that bindings call; nil until the app has set it.
    public static var shared: LiveActivityBridge?

    /// Bytes of a request. ActivityKit takes 4 KB of attributes and state, however they are written.
    public nonisolated static let requestLimit = 65_536

    private let eyot: Eyot?
    private let capabilities: Capabilities
    /// In the order of their registration.
    private(set) var types: [any BridgedType] = []
    /// Wakes those who read ``changes()``.
    var readers: [Int: AsyncStream<Void>.Continuation] = [:]
    var lastReader = 0

    /// A bridge without types.
    ///
    /// - Parameters:
    ///   - eyot: follows the cards and tells the server of them. Without it the cards are the app's alone.
    ///   - capabilities: what the system can do; without further words what `eyot` goes by, or the system itself.
    public init(eyot: Eyot? = nil, capabilities: Capabilities? = nil) {
        self.eyot = eyot
        self.capabilities = capabilities ?? eyot?.configuration.capabilities ?? .current
    }

    /// Cards of this type can be called for from now on. Call it at every launch, early, once for each type: with an
    /// `Eyot` instance it also registers the type for starts by push, and resumes its cards.
    ///
    /// - Parameters:
    ///   - attributesType: what callers call the type; without further words its bare name, as pushes do.
    ///   - name: the name by which the backend speaks of a card; see `Eyot.resume(_:name:)` for what comes without it.
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

    /// Whether the system has Live Activities as the SDK uses them.
    var isAvailable: Bool { capabilities.activities }

    /// Has those who read ``changes()`` look at the cards again.
    func wakeReaders() {
        for reader in readers.values { reader.yield() }
    }
}

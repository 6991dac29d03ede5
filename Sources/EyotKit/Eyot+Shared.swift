import Foundation

extension Eyot {
    /// The instance that ``configure(_:)`` made; nil before.
    public static var shared: Eyot? { sharedSlot.instance }

    /// Makes and starts the shared instance. The first call decides: a later one gets the same instance.
    @discardableResult
    public static func configure(_ configuration: EyotConfiguration) -> Eyot {
        sharedSlot.instance(orMake: {
            let instance = Eyot(configuration: configuration)
            instance.start()
            return instance
        })
    }

    private static let sharedSlot = SharedSlot()
}

/// Holds the shared instance. (`Mutex` would do, but it needs iOS 18.)
///
/// Unchecked: the one variable is read and written between lock and unlock only, and an `Eyot` is Sendable itself.
private final class SharedSlot: @unchecked Sendable {
    private let lock = NSLock()
    private var made: Eyot?

    var instance: Eyot? {
        lock.lock()
        defer { lock.unlock() }
        return made
    }

    func instance(orMake make: () -> Eyot) -> Eyot {
        lock.lock()
        defer { lock.unlock() }
        let instance = made ?? make()
        made = instance
        return instance
    }
}

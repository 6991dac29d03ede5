// The few names of UIKit that guides and example use, isolated as Apple has them.
@_exported import Foundation

@MainActor
open class UIResponder: NSObject {}

@MainActor
public final class UIApplication: UIResponder {
    public struct LaunchOptionsKey: Hashable, Sendable {
        public let name: String
    }

    public enum State: Sendable {
        case active, inactive, background
    }

    public var applicationState: State { .active }
}

@MainActor
public protocol UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
}

import EyotKit
import UIKit

/// Everything that has to happen at a launch, before anything else. A launch that a push causes is in the background and
/// lasts for seconds: what is not followed at once may be missed.
final class AppDelegate: NSObject, UIApplicationDelegate {
    let cards = Cards()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let isInBackground = application.applicationState == .background
        Eyot.configure(EyotConfiguration(server: Self.server, appKey: Self.text("CardsAppKey")))
        Self.registerTypes()
        cards.launched(inBackground: isInBackground)
        // There is nothing to ask the person for. Live Activities need no permission: iOS shows the first ones, and asks
        // below them whether there may be more. Only Settings can switch them off.
        return true
    }

    /// At every launch, and whenever the app comes to the front: the push-to-start token may have changed meanwhile.
    static func registerTypes() {
        guard let eyot = Eyot.shared else { return }
        // The server may start cards of these types (iOS 17.2).
        eyot.register(MatchAttributes.self)
        eyot.register(DeliveryAttributes.self)
        eyot.register(WaitingListAttributes.self)
        // Cards that run, and those that appear, are followed: their tokens go to the server.
        eyot.resume(MatchAttributes.self)
        eyot.resume(DeliveryAttributes.self)
        eyot.resume(WaitingListAttributes.self)
    }

    // MARK: Where the server is

    private static var server: URL {
        guard let url = URL(string: text("CardsServer")) else {
            preconditionFailure("CardsServer in Info.plist is no URL")
        }
        return url
    }

    private static func text(_ key: String) -> String { Bundle.main.object(forInfoDictionaryKey: key) as? String ?? "" }
}

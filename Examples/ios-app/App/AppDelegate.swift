import EyotKit
import UIKit

/// The setup at each launch, before anything else. A launch that a push causes is in the background and lasts for
/// seconds. Sequences that are not followed at once may be missed.
final class AppDelegate: NSObject, UIApplicationDelegate {
    let cards = Cards()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let isInBackground = application.applicationState == .background
        Eyot.configure(EyotConfiguration(server: Self.server, appKey: Self.text("CardsAppKey")))
        Self.followTypes()
        cards.launched(inBackground: isInBackground)
        // Live Activities need no permission, so the app asks for none. iOS shows the first ones, and asks below them
        // whether there may be more. Only Settings can switch them off.
        return true
    }

    /// At every launch: the server may start cards of these types (iOS 17.2), and their tokens go to the server. An
    /// app that also runs below iOS 16.2 puts these calls under `if #available(iOS 16.2, *)`, and marks its types
    /// `@available(iOS 16.1, *)`.
    private static func followTypes() {
        guard let eyot = Eyot.shared else { return }
        eyot.follow(MatchAttributes.self)
        eyot.follow(DeliveryAttributes.self)
        eyot.follow(WaitingListAttributes.self)
    }

    // MARK: The server's address

    private static var server: URL {
        guard let url = URL(string: text("CardsServer")) else {
            preconditionFailure("CardsServer in Info.plist is no URL")
        }
        return url
    }

    private static func text(_ key: String) -> String { Bundle.main.object(forInfoDictionaryKey: key) as? String ?? "" }
}

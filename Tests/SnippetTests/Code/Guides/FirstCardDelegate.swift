import EyotKit
import UIKit

final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let eyot = Eyot.configure(
            EyotConfiguration(server: URL(string: "https://eyot.example.org")!, appKey: "eyot_pk_…"))
        eyot.follow(MatchAttributes.self)
        return true
    }
}

// In the text: step 6 and step 11.
func textOfTheGuide(_ eyot: Eyot) async {
    for await event in eyot.events { print(event) }
    Eyot.shared?.identify("anna")
    if #available(iOS 16.2, *) { eyot.follow(MatchAttributes.self) }
}

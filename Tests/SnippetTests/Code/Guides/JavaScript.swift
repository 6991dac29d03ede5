// Swift of docs/guides/javascript.md, word for word.
import EyotBridge
import EyotKit
import Foundation

struct SportsActivityAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
    }

    var gameID: String
}

@MainActor
func launch(url: URL, key: String) {
    // In application(_:didFinishLaunchingWithOptions:), before the framework starts.
    let eyot = Eyot.configure(EyotConfiguration(server: url, appKey: key))
    let bridge = LiveActivityBridge(eyot: eyot)
    if #available(iOS 16.2, *) {
        do {
            try bridge.register(SportsActivityAttributes.self) { $0.gameID }
        } catch {
            print(error)  // A type that is registered twice is a slip in this code.
        }
    }
    LiveActivityBridge.shared = bridge
}

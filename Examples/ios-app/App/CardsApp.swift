import EyotKit
import SwiftUI

/// Three cards to try, and the recorder.
///
/// A SwiftUI app has the life cycle of scenes, without which an app that was built with Xcode 27 is stopped at its
/// launch. Links come to the scene, so the tap on a card is heard here and not in the app's delegate.
@main
struct CardsApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            TabView {
                MatchScreen().tabItem { Label("Match", systemImage: "soccerball") }
                DeliveryScreen().tabItem { Label("Delivery", systemImage: "shippingbox") }
                WaitingListScreen().tabItem { Label("Queue", systemImage: "person.3") }
                RecorderScreen().tabItem { Label("Recorder", systemImage: "record.circle") }
            }
            .environmentObject(delegate.cards)
            // `cards://match/final`: the card puts the activity's name there. iOS does not report a tap by itself.
            .onOpenURL { url in Eyot.shared?.tapped(url.lastPathComponent) }
        }
        .onChange(of: phase) { delegate.cards.moved(to: $0) }
    }
}

import SwiftUI
import WidgetKit

/// Everything that the extension draws. It has no network and no timer of its own: iOS wakes it to draw one state, and
/// pictures have to be in its own asset catalogue.
@main
struct CardsBundle: WidgetBundle {
    var body: some Widget {
        MatchCard()
        DeliveryCard()
        WaitingListCard()
    }
}

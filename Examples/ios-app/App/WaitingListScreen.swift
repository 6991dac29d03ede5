import EyotKit
import SwiftUI

/// A place in a queue.
struct WaitingListScreen: View {
    @EnvironmentObject private var cards: Cards

    var body: some View {
        Form {
            Button("Join the queue") {
                cards.start(
                    WaitingListAttributes(eyotActivityName: "table-7", place: "The Eight", positionAtStart: 12),
                    showing: .init(position: 12, minutes: 35), staleAfter: 20 * 60)
            }
            Button("Leave", role: .destructive) { cards.endAll(of: WaitingListAttributes.self) }
            if let problem = cards.problem { Text(problem).foregroundStyle(.red) }
        }
    }
}

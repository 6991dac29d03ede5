import EyotKit
import SwiftUI

/// Starts a match from within the app. A backend starts it for all devices: see `docs/guides/first-card.md`.
struct MatchScreen: View {
    @EnvironmentObject private var cards: Cards
    @State private var name = "final"

    var body: some View {
        Form {
            TextField("The activity's name on the server", text: $name)
            Button("Follow the match") {
                cards.start(
                    MatchAttributes(eyotActivityName: name, home: "Argentina", away: "France"),
                    showing: .init(homeScore: 0, awayScore: 0, clock: "Before kick-off"), staleAfter: 15 * 60)
            }
            Button("Stop following", role: .destructive) { cards.endAll(of: MatchAttributes.self) }
            if let problem = cards.problem { Text(problem).foregroundStyle(.red) }
        }
    }
}

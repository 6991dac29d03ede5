import EyotKit
import PhoneSimulator
import SwiftUI

/// ActivityKit's behaviour so far, and buttons for facts that only the person knows. Press a button right after you
/// have done what it says.
struct RecorderScreen: View {
    @EnvironmentObject private var cards: Cards

    private struct Note: Identifiable {
        let id: String
        let act: RecordedAct
    }

    private let notes = [
        Note(id: "I have pressed Allow", act: .allow), Note(id: "I have locked the phone", act: .lock),
        Note(id: "The network is gone", act: .offline), Note(id: "The network is back", act: .online),
    ]

    var body: some View {
        Form {
            Section("What you have done") {
                ForEach(notes) { note in
                    Button(note.id) { cards.recorder?.note(.person(note.act)) }
                }
                ForEach(Activity<MatchAttributes>.activities, id: \.id) { match in
                    Button("I have swiped \(match.attributes.home) away") {
                        cards.recorder?.note(.person(.dismiss(card: match.id)))
                    }
                }
            }
            Section("The recording") {
                // The sender of a push adds it to the file by hand: see README.md.
                ShareLink("Send it", item: Cards.file)
            }
        }
    }
}

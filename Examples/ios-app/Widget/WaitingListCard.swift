import ActivityKit
import SwiftUI
import WidgetKit

/// The queue: the position is the news, the bar and the minutes are not.
struct WaitingListCard: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: WaitingListAttributes.self) { context in
            VStack {
                HStack {
                    QueuePicture(position: context.state.position).font(.largeTitle)
                    QueueWords(list: context.attributes, state: context.state, isStale: context.isStale)
                    Spacer()
                }
                QueueBar(list: context.attributes, position: context.state.position)
            }
            .padding()
        } dynamicIsland: { context in
            DynamicIsland {
                DynamicIslandExpandedRegion(.leading) {
                    QueuePicture(position: context.state.position).font(.title)
                }
                DynamicIslandExpandedRegion(.center) {
                    QueueWords(list: context.attributes, state: context.state, isStale: context.isStale)
                }
                DynamicIslandExpandedRegion(.bottom) {
                    QueueBar(list: context.attributes, position: context.state.position)
                }
            } compactLeading: {
                QueuePicture(position: context.state.position)
            } compactTrailing: {
                Text("\(context.state.position)").rolling(context.state.position)
            } minimal: {
                Text("\(context.state.position)")
            }
        }
    }
}

/// One of three pictures for the place in the queue. Its identity is the picture's name, so most steps by one place
/// leave it unchanged.
private struct QueuePicture: View {
    let position: Int

    private var name: String {
        switch position {
        case ...1: "figure.walk.arrival"
        case 2...4: "figure.stand.line.dotted.figure.stand"
        default: "figure.seated.side"
        }
    }

    var body: some View { Image(systemName: name).pushed(by: name) }
}

private struct QueueWords: View {
    let list: WaitingListAttributes
    let state: WaitingListAttributes.ContentState
    let isStale: Bool

    var body: some View {
        VStack(alignment: .leading) {
            Text(list.place).font(.caption)
            Text(state.position <= 1 ? "You are next" : "Place \(state.position)").rolling(state.position)
            Text(isStale ? "Ask at the door" : "About \(state.minutes) minutes").font(.footnote).still(state.minutes)
        }
    }
}

private struct QueueBar: View {
    let list: WaitingListAttributes
    let position: Int

    var body: some View {
        let steps = max(list.positionAtStart, 1)
        ProgressView(value: Double(min(max(steps - position, 0), steps)), total: Double(steps)).still(position)
    }
}

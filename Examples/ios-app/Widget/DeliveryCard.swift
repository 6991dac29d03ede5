import ActivityKit
import SwiftUI
import WidgetKit

/// The parcel. The minutes run by themselves: a text that is made of a date counts down without a push. That saves the
/// budget for real events.
struct DeliveryCard: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: DeliveryAttributes.self) { context in
            HStack {
                StagePicture(stage: context.state.stage).font(.largeTitle)
                VStack(alignment: .leading) {
                    Text("Order \(context.attributes.orderNumber)").font(.caption)
                    StageWords(state: context.state, isStale: context.isStale)
                }
                Spacer()
                ArrivalText(arrival: context.state.arrival)
            }
            .padding()
        } dynamicIsland: { context in
            DynamicIsland {
                DynamicIslandExpandedRegion(.leading) { StagePicture(stage: context.state.stage).font(.title) }
                DynamicIslandExpandedRegion(.trailing) { ArrivalText(arrival: context.state.arrival) }
                DynamicIslandExpandedRegion(.bottom) { StageWords(state: context.state, isStale: context.isStale) }
            } compactLeading: {
                StagePicture(stage: context.state.stage)
            } compactTrailing: {
                ArrivalText(arrival: context.state.arrival)
            } minimal: {
                StagePicture(stage: context.state.stage)
            }
        }
    }
}

/// One picture pushes the other out: they are two views, by their stage.
private struct StagePicture: View {
    let stage: DeliveryAttributes.Stage

    private var name: String {
        switch stage {
        case .ordered: "cart"
        case .packed: "shippingbox"
        case .onTheWay: "truck.box"
        case .delivered: "checkmark.circle"
        }
    }

    var body: some View { Image(systemName: name).pushed(by: stage) }
}

private struct StageWords: View {
    let state: DeliveryAttributes.ContentState
    let isStale: Bool

    var body: some View {
        switch state.stage {
        case .onTheWay where isStale: Text("On the way; the driver is out of reach")
        case .onTheWay: Text("\(state.stopsBefore) stops before you").rolling(state.stopsBefore)
        case .ordered: Text("We have your order")
        case .packed: Text("Packed")
        case .delivered: Text("It is there")
        }
    }
}

private struct ArrivalText: View {
    let arrival: Date?

    var body: some View {
        let now = Date.now
        if let arrival, arrival > now {
            Text(timerInterval: now...arrival, countsDown: true)
                .monospacedDigit()
                .frame(maxWidth: 60)
                // If an update moves the time, the figures jump: figures that count and roll at once cannot be read.
                .still(arrival)
        }
    }
}

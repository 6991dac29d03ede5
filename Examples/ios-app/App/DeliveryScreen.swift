import EyotKit
import SwiftUI

/// An order. The name is the order's number, so that the backend that has the order can speak of its card.
struct DeliveryScreen: View {
    @EnvironmentObject private var cards: Cards
    @State private var order = "1042"

    var body: some View {
        Form {
            TextField("Order", text: $order)
            Button("Show on the Lock Screen") {
                cards.start(
                    DeliveryAttributes(eyotActivityName: "order-\(order)", orderNumber: order),
                    showing: .init(stage: .ordered, stopsBefore: 9, arrival: Date(timeIntervalSinceNow: 40 * 60)),
                    staleAfter: 60 * 60)
            }
            Button("Take it away", role: .destructive) { cards.endAll(of: DeliveryAttributes.self) }
            if let problem = cards.problem { Text(problem).foregroundStyle(.red) }
        }
    }
}

import ActivityKit
import SwiftUI
import WidgetKit

/// The match: a banner on the Lock Screen, and four forms in the Dynamic Island. A phone without an island shows the
/// banner only; so does an alert on such a phone, for some seconds.
struct MatchCard: Widget {
    var body: some WidgetConfiguration {
        ActivityConfiguration(for: MatchAttributes.self) { context in
            MatchBanner(match: context.attributes, state: context.state, isStale: context.isStale)
                .activityBackgroundTint(.black.opacity(0.6))
        } dynamicIsland: { context in
            DynamicIsland {
                DynamicIslandExpandedRegion(.leading) {
                    TeamScore(team: context.attributes.home, score: context.state.homeScore)
                }
                DynamicIslandExpandedRegion(.trailing) {
                    TeamScore(team: context.attributes.away, score: context.state.awayScore)
                }
                DynamicIslandExpandedRegion(.bottom) { MatchNews(state: context.state, isStale: context.isStale) }
            } compactLeading: {
                CompactScore(team: context.attributes.home, score: context.state.homeScore)
            } compactTrailing: {
                CompactScore(team: context.attributes.away, score: context.state.awayScore)
            } minimal: {
                // Next to another app's activity there is only room for this.
                Text("\(context.state.homeScore):\(context.state.awayScore)").font(.caption2)
            }
            .widgetURL(URL(string: "cards://match/\(context.attributes.eyotActivityName ?? "")"))
        }
    }
}

/// The Lock Screen.
private struct MatchBanner: View {
    let match: MatchAttributes
    let state: MatchAttributes.ContentState
    let isStale: Bool
    @Environment(\.isLuminanceReduced) private var isDimmed

    var body: some View {
        VStack {
            HStack {
                TeamScore(team: match.home, score: state.homeScore)
                Spacer()
                TeamScore(team: match.away, score: state.awayScore)
            }
            MatchNews(state: state, isStale: isStale)
        }
        .padding()
        // A dimmed display shows less colour, so information in colour alone would be lost.
        .foregroundStyle(isDimmed ? .secondary : .primary)
    }
}

/// The view next to the camera. From iOS 27 on the island is also shown in landscape. It is narrow there, so the team's
/// name is left out.
private struct CompactScore: View {
    let team: String
    let score: Int
    // The value is new in the SDK of iOS 27, which comes with Swift 6.4. With an older Xcode the names are left out
    // everywhere.
    #if compiler(>=6.4)
        @Environment(\.isDynamicIslandLimitedInWidth) private var isNarrow
    #else
        private let isNarrow = true
    #endif

    var body: some View {
        HStack {
            if !isNarrow { Text(team.prefix(3).uppercased()).font(.caption2) }
            Text("\(score)").rolling(score)
        }
    }
}

private struct TeamScore: View {
    let team: String
    let score: Int

    var body: some View {
        VStack {
            Text(team).font(.caption)
            Text("\(score)").font(.title.monospacedDigit()).rolling(score)
        }
    }
}

/// The clock changes with almost every push, also together with a goal. It therefore does not move, and the news does.
private struct MatchNews: View {
    let state: MatchAttributes.ContentState
    let isStale: Bool

    var body: some View {
        VStack {
            Text(isStale ? "No news since \(state.clock)" : state.clock).still(state.clock)
            if let event = state.lastEvent {
                Text(event).font(.footnote).pushed(by: event)
            }
        }
    }
}

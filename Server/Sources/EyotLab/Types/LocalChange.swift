import ActivityKitStandIn
import EyotContract
import EyotKit
import Foundation

/// A change of a card by the app itself: an update or the end.
public struct LocalChange: Sendable {
    /// When an ended card leaves the screen.
    public enum Dismissal: Sendable, Hashable {
        /// After at most four hours.
        case standard
        /// At once.
        case immediate
        /// At a time of the phone's clock.
        case after(Date)
    }

    /// The new state; nil keeps the current one. An update has a state.
    public var contentState: JSONValue?
    /// The stale date, by the phone's clock.
    public var staleDate: Date?
    /// The relevance compared to the app's other cards.
    public var relevanceScore: Double
    /// Whether it lights the screen.
    public var alerts: Bool
    /// The dismissal if the change ends the card; nil for an update.
    public var end: Dismissal?

    /// Makes a change.
    public init(
        contentState: JSONValue?, staleDate: Date? = nil, relevanceScore: Double = 0, alerts: Bool = false,
        end: Dismissal? = nil
    ) {
        self.contentState = contentState
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
        self.alerts = alerts
        self.end = end
    }

    /// Applies the change with ActivityKit on the phone of the current task.
    func apply<Attributes: ActivityAttributes>(to id: String, of type: Attributes.Type, _ eyot: Eyot) async throws {
        guard let activity = Activity<Attributes>.activities.first(where: { $0.id == id }) else {
            throw LabError.noSuchCard("the app has no card \(id)")
        }
        let content = try contentState.map { try self.content($0, of: type) }
        eyot.willChangeLocally(activity)
        if let end {
            await activity.end(content, dismissalPolicy: end.policy)
        } else if let content {
            let alert = alerts ? AlertConfiguration(title: "Update", body: "By the app", sound: .default) : nil
            await activity.update(content, alertConfiguration: alert)
        }
    }

    private func content<Attributes: ActivityAttributes>(
        _ json: JSONValue, of type: Attributes.Type
    ) throws -> ActivityContent<Attributes.ContentState> {
        do {
            let state = try JSONDecoder().decode(Attributes.ContentState.self, from: Data(json.utf8))
            return ActivityContent(state: state, staleDate: staleDate, relevanceScore: relevanceScore)
        } catch {
            throw LabError.stateInvalid(
                SchemaMismatch.words(
                    for: error, decoding: Attributes.ContentState.self, from: json, below: "contentState"))
        }
    }
}

extension LocalChange.Dismissal {
    fileprivate var policy: ActivityUIDismissalPolicy {
        switch self {
        case .standard: .default
        case .immediate: .immediate
        case .after(let date): .after(date)
        }
    }
}

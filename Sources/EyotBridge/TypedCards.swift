import EyotContract
import EyotKit
import Foundation

/// The cards of one Swift type.
///
/// An `Activity` is not Sendable, so none leaves the call or the task that found it. Each looks the card up by its id.
@available(iOS 16.2, *)
struct TypedCards<Attributes: ActivityAttributes & SendableMetatype>: BridgedType {
    let name: String
    /// The app's rule for the name of a card on the server. Its argument is an `Attributes`.
    let cardName: (@Sendable (Any) -> String?)?
    let eyot: Eyot?

    func isOf(_ type: Any.Type) -> Bool { type == Attributes.self }

    func cards() async -> [BridgedCard] {
        // A card that a person has just removed may be listed for a moment longer.
        Activity<Attributes>.activities.map(card).filter { $0.state != CardStage.dismissed.rawValue }
    }

    func start(attributes: JSONValue, content: BridgedContent) async throws(BridgeError) -> BridgedCard {
        let attributes = try decode(Attributes.self, from: attributes, at: "attributes")
        let content = try activityContent(content)
        let activity: Activity<Attributes>
        do {
            activity = try Activity.request(attributes: attributes, content: content, pushType: .token)
        } catch {
            throw BridgeError(starting: error)
        }
        let given = cardName?(attributes).flatMap { $0.isEmpty ? nil : $0 }
        eyot?.observe(activity, name: given)
        return card(activity)
    }

    func update(_ id: String, to content: BridgedContent) async throws(BridgeError) -> Bool {
        guard let activity = find(id) else { return false }
        guard Activity<Attributes>.running(id) != nil else {
            throw BridgeError(.cardEnded, "card \(id) has ended and takes no more updates")
        }
        let content = try activityContent(content)
        // Called first, so that the server does not restore its own state meanwhile.
        eyot?.willChangeLocally(activity)
        await activity.update(content)
        return true
    }

    func end(
        _ id: String, showing content: BridgedContent?, _ dismissal: BridgedDismissal
    ) async throws(BridgeError) -> Bool {
        guard let activity = find(id) else { return false }
        var last: ActivityContent<Attributes.ContentState>?
        if let content { last = try activityContent(content) }
        // Called first, so that the end does not count as a person's.
        eyot?.willEndLocally(activity)
        await activity.end(last, dismissalPolicy: dismissal.policy)
        return true
    }

    func followArrivals(_ changed: @Sendable () -> Void) async {
        for await _ in Activity<Attributes>.activityUpdates { changed() }
    }

    func follow(_ id: String, _ changed: @escaping @Sendable () -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                guard let activity = find(id) else { return }
                for await _ in activity.contentUpdates { changed() }
            }
            guard let activity = find(id) else { return }
            for await _ in activity.activityStateUpdates { changed() }
            group.cancelAll()
        }
    }

    private func find(_ id: String) -> Activity<Attributes>? { Activity<Attributes>.activities.first { $0.id == id } }
}

@available(iOS 16.2, *)
extension TypedCards {
    private func card(_ activity: Activity<Attributes>) -> BridgedCard {
        let content = activity.content
        return BridgedCard(
            id: activity.id, attributesType: name,
            state: CardStage(activity.activityState)?.rawValue ?? "unknown",
            content: BridgedContent(
                state: encode(content.state), staleDate: content.staleDate, relevanceScore: content.relevanceScore),
            attributes: encode(activity.attributes))
    }

    /// Encodes a value; `null` if that fails. ActivityKit has encoded the value before, so a failure is very unlikely.
    /// The other cards are still listed then.
    private func encode(_ value: some Encodable) -> JSONValue {
        let encoder = JSONEncoder()
        // Members always come in the same order, so that equal values are equal as JSON.
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(value), let json = try? JSONValue(parsing: data) else { return .null }
        return json
    }

    private func activityContent(
        _ content: BridgedContent
    ) throws(BridgeError) -> ActivityContent<Attributes.ContentState> {
        ActivityContent(
            state: try decode(Attributes.ContentState.self, from: content.state, at: "content.state"),
            staleDate: content.staleDate, relevanceScore: content.relevanceScore)
    }

    /// Decodes as ActivityKit decodes a push, by Foundation's default strategies.
    private func decode<Value: Decodable>(
        _ type: Value.Type, from json: JSONValue, at root: String
    ) throws(BridgeError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json.utf8))
        } catch {
            throw BridgeError(decoding: type, from: json, error, at: root)
        }
    }
}

@available(iOS 16.2, *)
extension BridgedDismissal {
    fileprivate var policy: ActivityUIDismissalPolicy {
        switch self {
        case .default: .default
        case .immediate: .immediate
        case .after(let date): .after(date)
        }
    }
}

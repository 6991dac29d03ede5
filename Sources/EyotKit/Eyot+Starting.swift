import EyotContract
import Foundation

/// The reason why ``Eyot/start(_:name:attributes:later:)`` started no card. If ActivityKit refuses, its own error is
/// thrown.
public enum CardStartFailure: Error, Sendable, Hashable {
    /// This system has no Live Activities that the SDK can use (iOS 16.2), or no cards that begin later (iOS 26).
    case unavailable
    /// The device is not registered with the server yet.
    case notRegistered
    /// The backend has declared nothing under this name, or has ended it.
    case nothingDeclared(name: String)
    /// The backend never started a card of this name, so the call must give the attributes.
    case attributesMissing(name: String)
    /// The server's answer does not decode as the app's types.
    case doesNotDecode(reason: String)
    /// No card of this name is scheduled.
    case notScheduled(name: String)
    /// The server did not answer. The call is not repeated.
    case server(reason: String)
}

/// The moment at which a card begins, and the alert that it gives then.
@available(iOS 16.2, *)
public struct LaterStart: Sendable {
    /// The moment.
    public var date: Date
    /// The alert, which ActivityKit requires.
    public var alert: AlertConfiguration

    /// Makes a start at a moment.
    public init(date: Date, alert: AlertConfiguration) {
        self.date = date
        self.alert = alert
    }
}

@available(iOS 16.2, *)
extension Eyot {
    /// Starts a card from within the app with the state that the cards of this name show now. The card is followed from
    /// its beginning. The app must be in the foreground.
    ///
    /// - Parameters:
    ///   - type: the attributes type.
    ///   - name: the activity's name, as the backend uses it.
    ///   - attributes: the card's attributes; nil takes those with which the backend starts cards of this name.
    ///   - later: when the card begins, from iOS 26; nil begins at once.
    /// - Returns: ActivityKit's id, `Activity.id`.
    /// - Throws: ``CardStartFailure``, or an error of ActivityKit.
    @discardableResult
    public func start<Attributes: ActivityAttributes>(
        _ type: Attributes.Type, name: String, attributes: sending Attributes? = nil, later: LaterStart? = nil
    ) async throws -> String {
        let capabilities = configuration.capabilities
        guard capabilities.activities, later == nil || capabilities.scheduledStarts else {
            throw CardStartFailure.unavailable
        }
        let question = CardQuestion(
            name: name, type: Activity<Attributes>.typeName, joinSecret: await joinSecret(of: name))
        let advice = try await advice(on: question)
        guard let attributes = try attributes ?? advice.attributes.map({ try $0.decoded(as: Attributes.self) }) else {
            throw CardStartFailure.attributesMissing(name: name)
        }
        let content = ActivityContent(
            state: try advice.contentState.decoded(as: Attributes.ContentState.self),
            staleDate: advice.staleDate.map { Date(timeIntervalSince1970: Double($0)) },
            relevanceScore: advice.relevanceScore ?? 0)
        let activity = try request(attributes, content, later)
        observe(activity, name: name)
        let instance = activity.id
        if let later { remember(instance, beginsAt: later.date) }
        return instance
    }

    private func request<Attributes: ActivityAttributes>(
        _ attributes: Attributes, _ content: ActivityContent<Attributes.ContentState>, _ later: LaterStart?
    ) throws -> Activity<Attributes> {
        guard let later else {
            return try Activity.request(attributes: attributes, content: content, pushType: .token)
        }
        guard #available(iOS 26.0, *) else { throw CardStartFailure.unavailable }
        return try Activity.request(
            attributes: attributes, content: content, pushType: .token, style: .standard,
            alertConfiguration: later.alert, start: later.date)
    }

    private func advice(on question: CardQuestion) async throws -> CardAdvice {
        guard let secret = await ledger.deviceSecret() else { throw CardStartFailure.notRegistered }
        let answer: TransportAnswer
        do {
            answer = try await sender.post(question.json, to: .card, bearer: secret)
        } catch {
            throw CardStartFailure.server(reason: "\(error)")
        }
        switch answer.status {
        case 200: return try CardAdvice(json: JSONValue(parsing: answer.body))
        // The activity does not exist or has ended.
        case 404, 409: throw CardStartFailure.nothingDeclared(name: question.name)
        default: throw CardStartFailure.server(reason: answer.reason)
        }
    }
}

extension JSONValue {
    /// Decodes the value as ActivityKit does.
    fileprivate func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(utf8))
        } catch {
            let reason = SchemaMismatch.words(for: error, decoding: type, from: self)
            throw CardStartFailure.doesNotDecode(reason: String(reason.prefix(300)))
        }
    }
}

import EyotContract
import Foundation

/// Why ``Eyot/start(_:name:attributes:later:)`` started nothing. Where ActivityKit refuses, its own error is thrown.
public enum CardStartFailure: Error, Sendable, Hashable {
    /// This system has no Live Activities that the SDK can use (iOS 16.2), or none that begin later (iOS 26).
    case unavailable
    /// The device is not registered with the server yet.
    case notRegistered
    /// The backend has not declared anything under this name, or has ended it.
    case nothingDeclared(name: String)
    /// The backend never started a card of this name, so the attributes have to be given.
    case attributesMissing(name: String)
    /// What the server says does not fit the app's types.
    case doesNotDecode(reason: String)
    /// No card of this name is to begin later.
    case notScheduled(name: String)
    /// The server did not answer; nothing is tried again.
    case server(reason: String)
}

/// When a card begins that is to begin later, and how it lights the screen then.
@available(iOS 16.2, *)
public struct LaterStart: Sendable {
    /// The moment.
    public var date: Date
    /// ActivityKit demands one.
    public var alert: AlertConfiguration

    /// Makes a moment.
    public init(date: Date, alert: AlertConfiguration) {
        self.date = date
        self.alert = alert
    }
}

@available(iOS 16.2, *)
extension Eyot {
    /// Starts a card from within the app as the backend would: with the state that everybody's cards of this name show now. It is
    /// followed from its beginning. The app has to be in the foreground.
    ///
    /// - Parameters:
    ///   - type: of the attributes.
    ///   - name: the activity's, as the backend speaks of it.
    ///   - attributes: nil takes those with which the backend starts cards of this name.
    ///   - later: nil begins at once. Needs iOS 26.
    /// - Returns: ActivityKit's id, `Activity.id`.
    /// - Throws: ``CardStartFailure``, or what ActivityKit throws.
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
        // No such activity, or none any more.
        case 404, 409: throw CardStartFailure.nothingDeclared(name: question.name)
        default: throw CardStartFailure.server(reason: answer.reason)
        }
    }
}

extension JSONValue {
    /// As ActivityKit decodes it.
    fileprivate func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(utf8))
        } catch {
            let reason = SchemaMismatch.words(for: error, decoding: type, from: self)
            throw CardStartFailure.doesNotDecode(reason: String(reason.prefix(300)))
        }
    }
}

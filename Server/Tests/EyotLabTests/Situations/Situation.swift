import EyotDomain
import EyotLab
import Testing

/// A situation on a phone: how it comes about, what `GET /v1/why` finds, and what the finding's remedy does.
struct Situation: Sendable {
    typealias Step = @Sendable (Scene) async throws -> Void

    /// What is asked about.
    enum Question: Sendable {
        /// The user and the activity.
        case user
        /// The device and the activity.
        case device
        /// The user, and no activity.
        case phone
        /// The user, the activity and one version of it.
        case version(Int)
    }

    /// What the remedy leads to.
    enum Outcome: Sendable {
        /// The phone has one running card of the activity, and it shows this score.
        case shows(Int)
        /// The phone has no running card of the activity, as it should be.
        case noCard
        /// Another finding, where the remedy is not about the screen.
        case finding(FindingCode)
    }

    let name: String
    let code: FindingCode
    /// Nil if it depends on what reaches the server first.
    let confidence: Finding.Confidence?
    /// Nil for a user without a phone.
    let phone: PhoneOptions?
    let asks: Question
    let make: Step
    /// The remedy, carried out as it is written; nil if there is nothing to do.
    let remedy: Step?
    let outcome: Outcome?

    init(
        _ name: String, _ code: FindingCode, _ confidence: Finding.Confidence?, phone: PhoneOptions? = PhoneOptions(),
        asks: Question = .user, _ make: @escaping Step, remedy: Step? = nil, then outcome: Outcome? = nil
    ) {
        (self.name, self.code, self.confidence) = (name, code, confidence)
        (self.phone, self.asks, self.make) = (phone, asks, make)
        (self.remedy, self.outcome) = (remedy, outcome)
    }
}

extension Situation {
    /// Situations that are made in one lab, one after the other.
    struct Group: Sendable, CustomTestStringConvertible {
        let title: String
        /// The number of the first one.
        let first: Int
        let situations: [Situation]

        var testDescription: String { title }
    }

    static let groups = [
        Group(title: "Phones without a card", first: 100, situations: withoutCard),
        Group(title: "Starts", first: 200, situations: starts),
        Group(title: "Cards that are gone", first: 300, situations: gone),
        Group(title: "Pushes to cards that run", first: 400, situations: pushes),
        Group(title: "Channels and whole apps", first: 500, situations: wide),
        Group(title: "Two causes, the other order, and later", first: 600, situations: combined),
    ]
}

extension PhoneOptions {
    static func with(_ change: (inout PhoneOptions) -> Void) -> PhoneOptions {
        var options = PhoneOptions()
        change(&options)
        return options
    }
}

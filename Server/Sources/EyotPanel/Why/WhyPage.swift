import EyotContract
import EyotDomain
import EyotHTTP

/// The page that explains what a phone shows. It asks one call of the API alone, so the role that may ask why and
/// nothing else sees it.
struct WhyPage {
    static let path = "/panel/why"
    /// How many stories of a person's cards are read at once. The other cards have a link.
    private static let stories = 3

    let panel: Panel

    var routes: [Route] {
        [panel.page(Self.path, query: ["q", "user", "device", "activity", "version"], show)]
    }

    private func show(_ visit: Visit) async throws -> Answer {
        let question = WhyQuestion(visit)
        guard let subject = question.subject else {
            return visit.show("Why", "why", WhyView(question, visit))
        }
        do {
            let view = try await view(of: question, subject, visit)
            return visit.show("Why", "why", view)
        } catch {
            let problem = try FormProblem(error)
            return problem.marking(visit.show("Why", "why", WhyView(question, visit, problem: problem)))
        }
    }

    private func view(
        of question: WhyQuestion, _ subject: WhyQuestion.Subject, _ visit: Visit
    ) async throws -> WhyView {
        let (subject, reply) = try await explain(subject, question, visit)
        if let activity = question.activity {
            let card = WhyCard(reply, about: Shown.text(activity), of: subject, visit)
            return WhyView(question, visit, cards: [card], subject: subject, reply)
        }
        var cards: [WhyCard] = []
        for row in reply["cards"].all {
            var card = WhyCard(row, in: visit)
            // One call explains one phone and one name, so each story is asked for by itself.
            if cards.count < Self.stories, !cards.contains(where: { $0.place == card.place }) {
                card.tell(try await visit.reply("/v1/why", ["device": card.device, "activity": card.rawActivity]))
            }
            cards.append(card)
        }
        return WhyView(question, visit, cards: cards, subject: subject, reply)
    }

    /// Asks for the subject. A number that is no user's id may be a device's.
    private func explain(
        _ subject: WhyQuestion.Subject, _ question: WhyQuestion, _ visit: Visit
    ) async throws -> (WhyQuestion.Subject, Reply) {
        func ask(_ subject: WhyQuestion.Subject) async throws -> Reply {
            var query = subject.query
            (query["activity"], query["version"]) = (question.activity, question.version)
            return try await visit.reply("/v1/why", query)
        }
        guard case .either(let text) = subject else { return (subject, try await ask(subject)) }
        let user = WhyQuestion.Subject.user(text)
        let reply = try await ask(user)
        guard reply["finding"]["code"].raw == FindingCode.notRegistered.rawValue, Int64(text) != nil else {
            return (user, reply)
        }
        do {
            return (.device(text), try await ask(.device(text)))
        } catch let problem as Problem where problem.error.code == .deviceUnknown {
            return (user, reply)
        }
    }
}

/// What the box of the page asks for.
struct WhyQuestion {
    enum Subject {
        case user(String)
        case device(String)
        /// What a member typed: a user's id, or a device's.
        case either(String)

        var query: [String: String] {
            switch self {
            case .user(let id), .either(let id): ["user": id]
            case .device(let id): ["device": id]
            }
        }

        var id: String {
            switch self {
            case .user(let id), .either(let id), .device(let id): id
            }
        }

        var isDevice: Bool {
            if case .device = self { true } else { false }
        }
    }

    let subject: Subject?
    let activity: String?
    /// The declaration that is asked about; nil for the newest.
    let version: String?

    init(_ visit: Visit) {
        func text(_ name: String) -> String? {
            let text = visit.call.query[name]?.trimmed ?? ""
            return text.isEmpty ? nil : text
        }
        activity = text("activity")
        version = activity == nil ? nil : text("version")
        subject =
            text("user").map(Subject.user) ?? text("device").map(Subject.device) ?? text("q").map(Subject.either)
    }
}

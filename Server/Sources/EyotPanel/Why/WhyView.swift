import EyotDomain

/// A card, or the phone without one, and why it shows what it shows.
struct WhyCard {
    /// A name on a phone. Generations share it.
    struct Place: Equatable {
        var device: String
        var activity: String
    }

    let heading: String
    let finding: FindingView
    let rawActivity: String
    let device: String
    /// What the card should show and shows, in a line.
    let versions: String
    let link: String
    var story: StoryView?
    var isOpen = false

    var place: Place { Place(device: device, activity: rawActivity) }

    /// A card among those of a person.
    init(_ reply: Reply, in visit: Visit) {
        (rawActivity, device) = (reply["activity"].raw ?? "", reply["device"].raw ?? "")
        heading = "\(reply["activity"].text ?? "") · generation \(reply["generation"].number ?? 0)"
        finding = FindingView(reply["finding"])
        versions = Self.versions(reply)
        link = visit.link(WhyPage.path, ["device": device, "activity": rawActivity])
    }

    /// The answer about one activity.
    init(_ reply: Reply, about activity: String, of subject: WhyQuestion.Subject, _ visit: Visit) {
        (heading, rawActivity, device) = (activity, activity, reply["device"].raw ?? "")
        finding = FindingView(reply["finding"])
        (versions, link) = ("", "")
        tell(reply)
    }

    mutating func tell(_ reply: Reply) {
        story = StoryView(reply["story"])
        isOpen = true
    }

    private static func versions(_ reply: Reply) -> String {
        let shown = reply["shown"]["version"].number.map { "the phone reported \($0)" }
        return [
            reply["phase"].text, reply["desired"].number.map { "should show version \($0)" },
            reply["accepted"].number.map { "Apple accepted \($0)" }, shown ?? "the phone has reported nothing",
        ].compactMap(\.self).joined(separator: " · ")
    }
}

/// What the page draws.
struct WhyView {
    /// Another phone of the user.
    struct Phone {
        var device: String
        var link: String
        var finding: FindingView
    }

    /// A page with more of the subject, if the member may read it.
    struct More {
        var title: String
        var link: String
    }

    let action = WhyPage.path
    let app: String?
    let typed: String
    let typedActivity: String
    let typedVersion: String
    var isAsked = false
    var problem: FormProblem?
    var subject = ""
    var more: [More] = []
    var cards: [WhyCard] = []
    /// Whether another card could be started; nil if an activity is asked about.
    var start: FindingView?
    var startHeading: String?
    var startStory: StoryView?
    var phones: [Phone] = []
    var hasPhones = false
    var ticket: String?
    var tries: [String] = []
    var hasTries = false

    init(_ question: WhyQuestion, _ visit: Visit, problem: FormProblem? = nil) {
        app = visit.member.seats.count > 1 ? visit.seat.app.bundleID : nil
        typed = question.subject?.id ?? ""
        typedActivity = question.activity ?? ""
        typedVersion = question.version ?? ""
        self.problem = problem
        if problem != nil { tries = Self.tries(question) }
        hasTries = !tries.isEmpty
    }

    init(
        _ question: WhyQuestion, _ visit: Visit, cards: [WhyCard], subject: WhyQuestion.Subject, _ reply: Reply
    ) {
        self.init(question, visit)
        isAsked = true
        self.cards = cards
        let isKnown = reply["finding"]["code"].raw != FindingCode.notRegistered.rawValue
        self.subject = "\(subject.isDevice ? "Device" : "User") \(Shown.text(subject.id))"
        if visit.may(.peopleRead), isKnown {
            more = [
                More(
                    title: subject.isDevice ? "All of this device" : "All of this user",
                    link: visit.link(subject.isDevice ? DevicePage.path(subject.id) : UserPage.path(subject.id)))
            ]
        }
        if question.activity == nil {
            start = FindingView(reply["finding"])
            startHeading = isKnown ? "Another card" : nil
            if cards.isEmpty, !reply["story"].all.isEmpty { startStory = StoryView(reply["story"]) }
        }
        phones = reply["others"].all.map { other in
            let device = other["device"].raw ?? ""
            let link =
                question.activity.map { visit.link(WhyPage.path, ["device": device, "activity": $0]) }
                ?? visit.link(WhyPage.path, ["device": device])
            return Phone(device: device, link: link, finding: FindingView(other["finding"]))
        }
        hasPhones = !phones.isEmpty
        tries = isKnown ? [] : Self.tries(question)
        hasTries = !tries.isEmpty
        ticket = TicketText(self, app: visit.seat.app.bundleID, at: visit.now).text
    }

    private static func tries(_ question: WhyQuestion) -> [String] {
        [
            "Compare the id letter by letter: capitals and spaces count, and an e-mail address is not the id unless "
                + "your app says so.",
            "Ask for the id of the device, which the app can show: EyotKit has it after the first registration.",
            "Check the app and the environment at the top of the page: a test build registers with another server.",
            question.activity == nil ? nil : "Leave the activity empty: the answer then lists all cards of the person.",
        ].compactMap(\.self)
    }
}

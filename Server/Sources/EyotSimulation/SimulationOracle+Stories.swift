import EyotCommands
import EyotDomain

/// R15: the story of a phone contains each thing that happened to it, in order, and nothing else. The oracle compares
/// it with the events and with the pushes that the simulation saw Apple accept.
extension SimulationOracle {
    /// A phone, and an activity that its story is told of.
    struct Asked {
        var index: Int
        var device: Device
        var activity: Activity
        /// The phone's cards, and places reserved for them, in the order of their ordinals.
        var places: [Replica]

        var label: String { "phone-\(index + 1) \(activity.name) \(activity.generation)" }
    }

    func judgeStories() throws {
        let events = try simulation.ledger.events(of: simulation.app, about: .app, after: 0, limit: .max)
        for name in Simulation.names {
            guard let activity = try simulation.ledger.newestActivity(named: name, in: simulation.app) else { continue }
            for (index, phone) in simulation.phones.enumerated() {
                guard let device = try simulation.ledger.device(phone.device) else { continue }
                let places = try simulation.ledger.replicas(of: device.id, named: name, in: simulation.app)
                    .filter { $0.activity == activity.id }.sorted { $0.ordinal < $1.ordinal }
                let asked = Asked(index: index, device: device, activity: activity, places: places)
                try judgeStory(asked, events)
                try judgeFinding(asked)
            }
        }
    }

    private func judgeStory(_ asked: Asked, _ events: [Event]) throws {
        let story = try ReadStory(
            Transaction(simulation.ledger, at: simulation.now), of: asked.device, in: simulation.app)(asked.activity)
        // A longer story has lost its beginning.
        guard story.count < ReadStory.limit else { return }
        for (former, next) in zip(story, story.dropFirst()) where next.at < former.at {
            violate("R15: the story of \(asked.label) tells \(next.event) after \(former.event), which came later")
        }
        judgePushes(story, asked)
        judgeEvents(story, events, asked)
        // Clocks of several nodes may differ by more than the time between two causes.
        if !simulation.hasNodes { judgeCauses(story, asked) }
    }

    private func judgePushes(_ story: [StoryEntry], _ asked: Asked) {
        let told = story.filter { $0.event == "push.accepted" }.map { "\($0.at.rfc3339) \($0.apnsID ?? "")" }
        let seen = asked.places.flatMap {
            simulation.record.accepted[.init(activity: $0.activity, ordinal: $0.ordinal)] ?? []
        }
        let expected = seen.map { "\($0.at.rfc3339) \($0.id)" }
        guard told.sorted() != expected.sorted() else { return }
        violate("R15: the story of \(asked.label) tells the pushes \(told), accepted were \(expected)")
    }

    private func judgeEvents(_ story: [StoryEntry], _ events: [Event], _ asked: Asked) {
        typealias Told = (at: Instant, kind: EventKind, version: Version)
        let told = story.compactMap { entry in
            EventKind.recorded.first { $0.rawValue == entry.event }.map {
                (at: entry.at, kind: $0, version: entry.version)
            }
        }
        // A version is broadcast in each environment, and again for starts that it overtook. That is told once.
        var broadcast: Set<Version> = []
        let expected = events.filter { asked.concerns($0) }.sorted { $0.id < $1.id }
            .filter { $0.fact.kind != .broadcastAccepted || broadcast.insert($0.fact.version).inserted }
            .sorted { ($0.at, $0.id) < ($1.at, $1.id) }
            .map { (at: $0.at, kind: $0.fact.kind, version: $0.fact.version) }
        func words(_ told: [Told]) -> [String] { told.map { "\($0.kind.rawValue) \($0.version)" } }
        if words(told) == words(expected) { return }
        let ofActivity = events.filter { $0.activity == asked.activity.id }
        if ofActivity.count >= ReadStory.limit {
            // Of a large activity the newest events are read, and the oldest declarations without their events. So two
            // things of one moment have no order, and old broadcasts are not told.
            let ofAll = Set(ofActivity.filter { $0.device == nil }.map(\.fact.kind))
                .subtracting([.activityDeclared, .activityEnded])
            func kept(_ told: [Told]) -> [String] {
                words(
                    told.filter { !ofAll.contains($0.kind) }.sorted {
                        ($0.at, $0.kind.rawValue, $0.version) < ($1.at, $1.kind.rawValue, $1.version)
                    })
            }
            if kept(told) == kept(expected) { return }
        }
        violate("R15: the story of \(asked.label) tells \(words(told)), recorded are \(words(expected))")
    }

    /// Judges that nothing is told before its cause: no push before its declaration or before the card's token, and no
    /// token before its card.
    private func judgeCauses(_ story: [StoryEntry], _ asked: Asked) {
        func first(_ isMeant: (StoryEntry) -> Bool) -> Int? { story.firstIndex(where: isMeant) }
        func judge(_ cause: Int?, before effect: Int?, _ what: String) {
            guard let effect, cause.map({ $0 > effect }) ?? true else { return }
            violate("R15: the story of \(asked.label) tells \(what) before its cause")
        }
        let token = first { $0.event == EventKind.updateTokenSet.rawValue }
        judge(first { $0.event == EventKind.cardAppeared.rawValue }, before: token, "a card's token")
        judge(token, before: first { $0.isAcceptedUpdate }, "an update")
        for version in Set(story.filter { $0.event == "push.accepted" && $0.version > 0 }.map(\.version)) {
            judge(
                first { $0.isDeclaration && $0.version == version },
                before: first { $0.event == "push.accepted" && $0.version == version }, "version \(version)")
        }
    }
}

extension SimulationOracle.Asked {
    /// Whether an event belongs to the story.
    fileprivate func concerns(_ event: Event) -> Bool {
        if event.isStop(of: activity) { return true }
        if let other = event.activity, other != activity.id { return false }
        // The conclusion of a request is no part of a phone's story.
        return event.device.map { $0 == device.id } ?? (event.activity != nil && !event.fact.kind.isConclusion)
    }
}

extension StoryEntry {
    fileprivate var isAcceptedUpdate: Bool { event == "push.accepted" && !text.contains("the start of the card") }
    fileprivate var isDeclaration: Bool {
        event == EventKind.activityDeclared.rawValue || event == EventKind.activityEnded.rawValue
    }
}

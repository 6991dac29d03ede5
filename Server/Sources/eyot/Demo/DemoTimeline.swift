/// All events of a demo, in the order of time.
struct DemoTimeline: Sendable {
    enum Event: Sendable, Equatable {
        /// The backend declares the step with this number.
        case step(Int)
        /// The late phones open their apps.
        case latecomers
        /// The incident of the phone with this number begins.
        case begins(phone: Int)
        /// The incident of the phone with this number is over.
        case ends(phone: Int)
    }

    /// Events with their moments, which are shares of the match from 0 to 1.
    let events: [(moment: Double, event: Event)]

    init(_ script: MatchScript, _ cast: DemoCast) {
        var events: [(moment: Double, event: Event)] = script.steps.enumerated().map { number, step in
            (step.minute / script.length, .step(number))
        }
        events.append((script.minute85 / script.length, .latecomers))
        for (number, part) in cast.parts.enumerated() {
            guard let incident = part.incident, incident != .neverAllows else { continue }
            events.append((part.begins, .begins(phone: number)))
            if incident == .quits || incident == .offlineForAWhile { events.append((part.ends, .ends(phone: number))) }
        }
        self.events = events.enumerated()
            .sorted { ($0.element.moment, $0.offset) < ($1.element.moment, $1.offset) }.map(\.element)
    }
}

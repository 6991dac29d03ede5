import EyotContract
import PhoneSimulator
import Synchronization

/// Messages about problems on a lab's phones, as they happen: each push that a phone dropped, and each fault of its
/// app.
final class PhoneReports: Sendable {
    /// How many lines are written in one second. One more line counts the rest.
    static let linesPerSecond = 100
    /// How many faults are remembered, so that each is reported once.
    static let faultLimit = 1_000

    private struct Contents: Sendable {
        var phones: [String: LabPhone] = [:]
        var lines = 0
        var passedOver = 0
        var faults: Set<PhoneObservation> = []

        mutating func isNew(_ fault: PhoneObservation) -> Bool {
            if faults.count >= PhoneReports.faultLimit { faults = [] }
            return faults.insert(fault).inserted
        }
    }

    private let contents = Mutex(Contents())
    private let report: @Sendable (String) -> Void

    /// - Parameter report: receives each line.
    init(report: @escaping @Sendable (String) -> Void) { self.report = report }

    func add(_ phone: LabPhone) { contents.withLock { $0.phones[phone.id] = phone } }

    /// Reports an observation. Called without a lock held, so that it may read the phone.
    func note(_ observation: PhoneObservation) {
        switch observation.fact {
        case .push(let record):
            guard let reason = record.effect.reason, let phone = place(for: observation) else { return }
            report("\(observation.phone) dropped \(phone.words(for: record)): \(reason.explanation) [\(reason.code)]")
        case .fault(let words):
            guard contents.withLock({ $0.isNew(observation) }), place(for: observation) != nil else { return }
            report("\(observation.phone): \(words)")
        }
    }

    /// Returns the phone if there is room for one more line.
    private func place(for observation: PhoneObservation) -> LabPhone? {
        contents.withLock { contents in
            guard let phone = contents.phones[observation.phone] else { return nil }
            contents.lines += 1
            guard contents.lines > Self.linesPerSecond else { return phone }
            contents.passedOver += 1
            return nil
        }
    }

    /// Ends a second, and reports how many lines it left out.
    func endSecond() {
        let passedOver = contents.withLock { contents in
            defer { (contents.lines, contents.passedOver) = (0, 0) }
            return contents.passedOver
        }
        if passedOver > 0 {
            report("… and \(passedOver) more dropped pushes or faults; GET /phones/{id} of the control API lists them")
        }
    }
}

extension LabPhone {
    /// Describes a push by its event and its activity: `an update of final`.
    fileprivate func words(for record: PushRecord) -> String {
        let name = activityName(of: record).map { " of \($0)" } ?? ""
        return switch record.event {
        case .start: "a start\(name)"
        case .update: "an update\(name)"
        case .end: "an end\(name)"
        case nil: "a push\(name)"
        }
    }

    /// Returns the activity of a push. Usually the card of its token or channel tells it. For a start its attributes
    /// do.
    private func activityName(of record: PushRecord) -> String? {
        let push = record.push
        let card = state.cards.last { card in
            if let token = push.token { token == card.updateToken } else { push.channel == card.updates.channel }
        }
        if let card { return name(of: card) }
        guard let aps = (try? JSONValue(parsing: push.payload))?.object?["aps"]?.object,
            let type = aps["attributes-type"]?.string, let attributes = aps["attributes"]
        else { return nil }
        return app.types[type]?.name(in: attributes)
    }
}

import EyotContract
import EyotLab
import Foundation
import PhoneSimulator

/// How long phones were behind: from the moment the server accepted a state until the phone showed it or a later one.
///
/// The times come from the phones' records. Phones that were offline for some time are left out, because Apple could
/// not reach them.
struct DemoMeasurement {
    /// A step that the server accepted, with its version and time.
    struct Accepted: Sendable {
        var version: Int
        var time: Date
    }

    /// Ages in seconds, ascending; one for each phone and state.
    let ages: [Double]

    init(phones: [LabPhone], cast: DemoCast, script: MatchScript, accepted: [Accepted]) {
        let states = script.steps.map(\.state.json)
        let times = accepted.map(\.time)
        ages = zip(phones, cast.parts).flatMap { phone, part -> [Double] in
            let isAway = part.incident.map { $0.isExcluded || $0 == .offlineForAWhile } ?? false
            guard !isAway, let card = phone.state.cards.first else { return [] }
            let shown = Self.shown(on: phone, states, accepted)
            guard part.entrance != .remote else { return Self.ages(shown: shown, accepted: times, since: times.first) }
            // The app itself started with the kick-off's state, whenever that was.
            let began = Shown(step: 0, time: card.startedAt)
            return Self.ages(shown: [began] + shown, accepted: times, since: card.startedAt)
        }.sorted()
    }

    /// A step that a phone showed, and when it appeared.
    struct Shown: Equatable {
        var step: Int
        var time: Date
    }

    private static func shown(on phone: LabPhone, _ states: [JSONValue], _ accepted: [Accepted]) -> [Shown] {
        let pushed = phone.state.pushes.entries.compactMap { record -> Shown? in
            guard record.effect.card != nil, let payload = try? JSONValue(parsing: record.push.payload),
                let state = payload.object?["aps"]?.object?["content-state"],
                let step = states.firstIndex(where: { $0.isSame(as: state) })
            else { return nil }
            return Shown(step: step, time: record.receivedAt)
        }
        let applied = phone.appliedStates.compactMap { state in
            accepted.firstIndex { $0.version == state.version }.map { Shown(step: $0, time: state.time) }
        }
        return pushed + applied
    }

    /// Returns the age that each accepted state reached on one phone. A state has none if it was replaced before the
    /// phone joined, or if the phone never caught up.
    ///
    /// - Parameter since: when the phone joined.
    static func ages(shown: [Shown], accepted: [Date], since: Date?) -> [Double] {
        guard let since else { return [] }
        return accepted.enumerated().compactMap { step, time in
            let wasReplaced = step + 1 < accepted.count && accepted[step + 1] <= since
            let caughtUp = shown.filter { $0.step >= step }.map(\.time).min()
            return wasReplaced ? nil : caughtUp.map { max(0, $0.timeIntervalSince(max(time, since))) }
        }
    }

    /// Returns the value below which this share of the values lies; nil if there are none.
    static func quantile(_ share: Double, of values: [Double]) -> Double? {
        values.isEmpty ? nil : values[min(values.count - 1, Int(share * Double(values.count)))]
    }
}

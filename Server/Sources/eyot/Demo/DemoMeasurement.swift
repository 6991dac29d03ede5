import EyotContract
import EyotLab
import Foundation
import PhoneSimulator

/// For how long phones were behind: from the moment at which the server accepted a state until the phone showed it, or a
/// later one.
///
/// Taken from what the phones recorded. Phones that were offline for some time are left out: Apple could not reach them.
struct DemoMeasurement {
    /// A step that the server took, as which version and when.
    struct Accepted: Sendable {
        var version: Int
        var time: Date
    }

    /// Seconds, ascending; one for each phone and state.
    let ages: [Double]

    init(phones: [LabPhone], cast: DemoCast, script: MatchScript, accepted: [Accepted]) {
        let states = script.steps.map(\.state.json)
        let times = accepted.map(\.time)
        ages = zip(phones, cast.parts).flatMap { phone, part -> [Double] in
            let isAway = part.incident.map { $0.isExcluded || $0 == .offlineForAWhile } ?? false
            guard !isAway, let card = phone.state.cards.first else { return [] }
            let shown = Self.shown(on: phone, states, accepted)
            guard part.entrance != .remote else { return Self.ages(shown: shown, accepted: times, since: times.first) }
            // The app began with the kick-off, whenever that was.
            let began = Shown(step: 0, time: card.startedAt)
            return Self.ages(shown: [began] + shown, accepted: times, since: card.startedAt)
        }.sorted()
    }

    /// Which step a phone showed, and since when.
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

    /// The age that each accepted state reached on one phone. States that were replaced before the phone was there, and
    /// states that it never caught up with, have none.
    ///
    /// - Parameter since: when the phone was there to be kept up to date.
    static func ages(shown: [Shown], accepted: [Date], since: Date?) -> [Double] {
        guard let since else { return [] }
        return accepted.enumerated().compactMap { step, time in
            let wasReplaced = step + 1 < accepted.count && accepted[step + 1] <= since
            let caughtUp = shown.filter { $0.step >= step }.map(\.time).min()
            return wasReplaced ? nil : caughtUp.map { max(0, $0.timeIntervalSince(max(time, since))) }
        }
    }

    /// The value below which this share of the values lies; nil where there are none.
    static func quantile(_ share: Double, of values: [Double]) -> Double? {
        values.isEmpty ? nil : values[min(values.count - 1, Int(share * Double(values.count)))]
    }
}

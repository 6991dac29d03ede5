import EyotDomain
import Synchronization

/// The phones that reported lately what their cards show, for the share that shows something else than declared.
///
/// Counts of reports cannot say that: a phone that shows every update reports often, and one with a wrong state perhaps
/// once. So the last report of each phone is kept for some minutes. Of an app with many phones only a sample is, which
/// is as good for a share: those with the lowest numbers after a mixing that no phone can choose.
final class ReportingPhones: Sendable {
    /// For how long a report counts.
    static let span = Duration.seconds(600)
    /// The most phones of one app, and the most cards of one phone.
    static let limits = (phones: 1_024, cards: 8)

    private struct Report {
        var result: Occurrence.Report
        var at: ContinuousClock.Instant
    }

    private struct Sample {
        /// The last reports by phone and card.
        var phones: [UInt64: [ActivityID: Report]] = [:]
        /// The highest number that is kept.
        var bound = UInt64.max

        mutating func note(_ number: UInt64, _ activity: ActivityID, _ report: Report) {
            guard number <= bound else { return }
            var cards = phones[number] ?? [:]
            if cards[activity] == nil, cards.count >= ReportingPhones.limits.cards,
                let oldest = cards.min(by: { $0.value.at < $1.value.at })
            {
                cards[oldest.key] = nil
            }
            cards[activity] = report
            phones[number] = cards
            guard phones.count > ReportingPhones.limits.phones, let highest = phones.keys.max() else { return }
            phones[highest] = nil
            bound = highest - 1
        }

        mutating func forget(before moment: ContinuousClock.Instant) {
            phones = phones.compactMapValues { cards in
                let left = cards.filter { $0.value.at >= moment }
                return left.isEmpty ? nil : left
            }
            if phones.count < ReportingPhones.limits.phones / 2 { bound = .max }
        }
    }

    private let samples = Mutex<[AppID: Sample]>([:])
    /// A number of this process's own.
    private let salt = UInt64.random(in: .min ... .max)

    func note(
        _ result: Occurrence.Report, by device: DeviceID, of activity: ActivityID, app: AppID,
        at now: ContinuousClock.Instant = .now
    ) {
        let number = mixed(device)
        samples.withLock { samples in
            guard samples[app] != nil || samples.count < AppNames.limit else { return }
            samples[app, default: Sample()].note(number, activity, Report(result: result, at: now))
        }
    }

    /// How many phones of each app reported lately, by the worst that one of their cards shows.
    func counts(at now: ContinuousClock.Instant = .now) -> [AppID: [Occurrence.Report: Int]] {
        samples.withLock { samples in
            samples = samples.mapValues { sample in
                var sample = sample
                sample.forget(before: now - Self.span)
                return sample
            }
            return samples.mapValues { sample in
                let worst = sample.phones.values.map { cards -> Occurrence.Report in
                    let results = Set(cards.values.map(\.result))
                    return results.contains(.unknown) ? .unknown : results.contains(.older) ? .older : .same
                }
                return Dictionary(worst.map { ($0, 1) }, uniquingKeysWith: +)
            }
        }
    }

    private func mixed(_ device: DeviceID) -> UInt64 {
        var number = UInt64(bitPattern: device.rawValue) ^ salt
        number = (number ^ number >> 30) &* 0xbf58_476d_1ce4_e5b9
        number = (number ^ number >> 27) &* 0x94d0_49bb_1331_11eb
        return number ^ number >> 31
    }
}

import APNSWire
import EyotContract
import EyotDomain
import Foundation
import PhoneSimulator

/// Everything that came to a phone, in the order of time, with what the phone did with it and why.
struct PhoneStory: Sendable {
    /// How well something went.
    enum Outcome: String, Sendable {
        case good
        /// Nothing is wrong, and nothing changed.
        case neutral
        case waiting
        case bad
    }

    /// One thing that happened.
    struct Entry: Sendable, Hashable {
        var at: Date
        var outcome: Outcome
        /// What happened, as a sentence.
        var text: String
        /// Why, or which state it was; nil if there is no more to say.
        var detail: String?
        /// The version that a push or an answer had.
        var version: Int?
        /// The id of the push at Apple.
        var apnsID: String?
        var priority: Int?
    }

    /// The entries, oldest first.
    let entries: [Entry]

    init(_ phone: PhoneReading) {
        let pushes = phone.state.pushes.entries.map { Entry($0, on: phone) }
        let answers = phone.applied.map { state in
            Entry(
                at: state.time, outcome: .good,
                text: "The SDK applied version \(state.version) of \(Words.clipped(state.name))",
                detail: "The server's answer to the app carried the state.", version: state.version)
        }
        let faults = phone.state.faults.entries.map { words in
            Entry(
                at: phone.state.time, outcome: .bad, text: "The app or its SDK reports a problem",
                detail: Words.clipped(words, to: 300))
        }
        entries = (pushes + answers).sorted { $0.at < $1.at } + faults
    }
}

extension PhoneStory.Entry {
    fileprivate init(_ record: PushRecord, on phone: PhoneReading) {
        at = record.receivedAt
        version = record.push.id?.version
        apnsID = record.push.id?.description
        priority = record.push.priority.rawValue
        let what = Self.word(record.event) + (version.map { " with version \($0)" } ?? "")
        switch record.effect {
        case .started:
            (outcome, text) = (.good, "\(what) came: a card appeared")
        case .updated: (outcome, text) = (.good, "\(what) came, and the card showed it")
        case .ended: (outcome, text) = (.good, "\(what) came: the card ended")
        case .stored:
            (outcome, text) = (.waiting, "\(what) waits at Apple")
            detail = "The phone is offline, or the push may wait for a better moment."
        case .ignored(let reason):
            let isLost = [.offline, .replacedInStorage, .storageTaken, .expired].contains(reason)
            outcome = isLost || reason == .olderTimestamp ? .neutral : .bad
            text = isLost ? "\(what) never reached the phone" : "\(what) came, and the phone dropped it"
            let carried = reason.code == "decodeFailed" ? Self.state(of: record.push)?.text : nil
            detail = [Self.sentence(reason.explanation), carried.map { "It carried \(Words.clipped($0, to: 200))." }]
                .compactMap(\.self).joined(separator: " ")
        }
        if record.alerted { text += ", with a sound" }
        if detail == nil { detail = Self.state(of: record.push).map { Words.clipped($0.text, to: 300) } }
    }

    private static func word(_ event: LiveActivityEvent?) -> String {
        switch event {
        case .start: "A start"
        case .update: "An update"
        case .end: "An end"
        case nil: "A push"
        }
    }

    private static func sentence(_ text: String) -> String {
        let clipped = Words.clipped(text, to: 300)
        return clipped.prefix(1).uppercased() + clipped.dropFirst() + "."
    }

    /// The content state that a push carries.
    private static func state(of push: DeliveredPush) -> JSONValue? {
        (try? JSONValue(parsing: push.payload))?.object?["aps"]?.object?["content-state"]
    }

    /// The entry for the page.
    var json: JSONValue {
        var object = JSONObject([
            ("at", .string(RFC3339.text(of: at))), ("outcome", .string(outcome.rawValue)), ("text", .string(text)),
        ])
        object["detail"] = detail.map { .string($0) }
        object["version"] = version.map { .integer($0) }
        object["apnsId"] = apnsID.map { .string($0) }
        object["priority"] = priority.map { .integer($0) }
        return .object(object)
    }
}

extension PhoneReading {
    /// The facts about the phone that explain most, in words.
    var settingsInWords: JSONValue {
        let settings = state.settings
        var words = ["iOS \(state.configuration.os)", "the app \(state.run.words)"]
        words.append(state.isOnline ? "online" : "offline")
        if !settings.activitiesEnabled { words.append("Live Activities are off") }
        if !settings.frequentPushesEnabled { words.append("more frequent updates are off") }
        if settings.lowPowerMode { words.append("Low Power Mode is on") }
        if settings.allowed != .automatically, !state.hasAllowed { words.append("Allow is not pressed") }
        if state.startToken == nil { words.append("no start token") }
        if settings.clockSkew != 0 { words.append("its clock is \(Int(settings.clockSkew)) s off") }
        return .array(words.map(JSONValue.string))
    }
}

extension AppRun {
    fileprivate var words: String {
        switch self {
        case .notRunning: "does not run"
        case .background: "runs in the background"
        case .foreground: "is open"
        }
    }
}

import EyotContract
import Foundation
import PhoneSimulator

extension CardContent {
    /// State, stale date and relevance as one text.
    var words: String {
        let stale = staleDate.map { ", stale at \(RFC3339.text(of: $0))" } ?? ""
        return state.text + stale + (relevanceScore == 0 ? "" : ", relevance \(relevanceScore)")
    }

    /// Whether an app that was sent `other` shows this. The app's types have decoded and encoded it since. So the order
    /// of members, the form of numbers, `null` and unknown members may be lost.
    func shows(_ other: CardContent, members: Set<String>?) -> Bool {
        let isAsStale =
            switch (staleDate, other.staleDate) {
            case (nil, nil): true
            // Times are written with milliseconds.
            case (let own?, let other?): abs(own.timeIntervalSince(other)) < 0.01
            default: false
            }
        return isAsStale && relevanceScore == other.relevanceScore
            && state.isDecoded(from: other.state, members: members)
    }
}

extension JSONValue {
    /// Whether a type could turn `sent` into this value.
    ///
    /// - Parameter members: the members of the type; nil if they are not known. In that case, and at deeper levels,
    ///   missing members of `sent` count as unknown to the type.
    fileprivate func isDecoded(from sent: JSONValue, members: Set<String>? = nil) -> Bool {
        if let own = object, let sent = sent.object {
            let all = own.members.allSatisfy { member in
                member.value == .null
                    ? sent[member.name] ?? .null == .null
                    : sent[member.name].map { member.value.isDecoded(from: $0) } ?? false
            }
            let lost = sent.members.filter { $0.value != .null && (own[$0.name] ?? .null) == .null }
            return all && lost.allSatisfy { members?.contains($0.name) != true }
        }
        if let own = array, let sent = sent.array {
            return own.count == sent.count && zip(own, sent).allSatisfy { $0.isDecoded(from: $1) }
        }
        if let own = double, let sent = sent.double { return abs(own - sent) <= 1e-6 * max(abs(own), abs(sent), 1e-6) }
        return self == sent
    }
}

import EyotDomain

/// The decision of which webhooks have a turn. Nothing is posted here.
///
/// A turn lasts as long as a receiver takes, so turns are shared. An app has few of them, and fewer for receivers that
/// failed or were slow the last time. Such receivers, and those of which nothing is known, leave some turns to the
/// others. Of the webhooks that may have a turn, those of the app with the fewest turns come first, and of these the
/// webhook that has waited longest since its last turn.
struct WebhookTurns {
    /// The most turns at a time: of all, and of receivers that are not known to be quick.
    static let (all, slow) = (32, 24)
    /// The most turns of one app at a time: of all its receivers, and of those that are not known to be quick.
    static let (ofApp, slowOfApp) = (8, 4)
    /// Seconds within which a receiver that takes a message counts as quick.
    static let quick = 2.0
    /// Webhooks in memory. Beyond that all are forgotten, because most of them are gone.
    private static let remembered = 20_000

    struct Candidate: Hashable {
        var id: WebhookID
        var app: AppID
    }

    private struct Turn {
        var app: AppID
        var isQuick: Bool
    }

    private var running: [WebhookID: Turn] = [:]
    private var quick: Set<WebhookID> = []
    private var failing: Set<WebhookID> = []
    /// The number of each webhook's last turn, which counts up.
    private var last: [WebhookID: Int] = [:]
    private var number = 0

    /// Whether others have all turns.
    var isFull: Bool { running.count >= Self.all }

    /// Whether the receiver failed last. One post at a time tries it then.
    func isFailing(_ id: WebhookID) -> Bool { failing.contains(id) }

    /// Begins the turns that may begin now.
    mutating func begin(among candidates: [Candidate]) -> [Candidate] {
        if last.count > Self.remembered { (quick, failing, last) = ([], [], [:]) }
        var (begun, left) = ([Candidate](), candidates.filter { running[$0.id] == nil })
        while let next = left.filter(mayBegin).min(by: isBefore) {
            number += 1
            last[next.id] = number
            running[next.id] = Turn(app: next.app, isQuick: quick.contains(next.id))
            begun.append(next)
            left.removeAll { $0.id == next.id }
        }
        return begun
    }

    mutating func end(_ id: WebhookID) { running[id] = nil }

    /// Notes how a receiver took the messages of one round.
    ///
    /// - Parameter seconds: How long the slowest took; nil if one failed.
    mutating func note(_ id: WebhookID, tookAll seconds: Double?) {
        if seconds == nil { failing.insert(id) } else { failing.remove(id) }
        if let seconds, seconds < Self.quick { quick.insert(id) } else { quick.remove(id) }
        running[id]?.isQuick = quick.contains(id)
    }

    private func mayBegin(_ candidate: Candidate) -> Bool {
        let own = running.values.filter { $0.app == candidate.app }
        guard !isFull, own.count < Self.ofApp else { return false }
        guard !quick.contains(candidate.id) else { return true }
        return running.values.count { !$0.isQuick } < Self.slow && own.count { !$0.isQuick } < Self.slowOfApp
    }

    private func isBefore(_ one: Candidate, _ other: Candidate) -> Bool {
        func rank(_ candidate: Candidate) -> (Int, Int) {
            (running.values.count { $0.app == candidate.app }, last[candidate.id] ?? 0)
        }
        return rank(one) < rank(other)
    }
}

import EyotDomain
import HTTPConnections
import Synchronization

/// The call that a body belongs to, for the shares of ``BodyBudget``.
enum BodyHolder: Sendable, Hashable {
    /// Of the control plane, or of a vendor's API. The app is nil for calls about none.
    case control(AppID?)
    /// Of a phone. Anyone with the app's public key can make it, so that it counts for its network, too.
    case phone(AppID, network: String?)
    /// Of a caller that is not known before the body is read, as at a form of the panel.
    case open(network: String?)
}

/// The bytes of bodies that calls hold, and whether a call may hold more.
///
/// Phones have half of the bytes at most, and callers that are not known a quarter. What is left is there for the
/// control plane, whatever the others do. Within each part the holders share by ``FairShare``: the apps, and the
/// networks that call for one app.
struct BodyShares {
    /// In bytes; 0 means no limit.
    let limit: Int
    private(set) var held = 0
    /// Those of the holders of each part.
    private var parts: [Part: Int] = [:]
    private var apps: [AppKey: Int] = [:]
    private var holders: [BodyHolder: Int] = [:]

    private enum Part: Hashable {
        case control, phones, open
    }

    private struct AppKey: Hashable {
        var part: Part
        var app: AppID?
    }

    init(limit: Int) { self.limit = limit }

    private static func key(of holder: BodyHolder) -> AppKey {
        switch holder {
        case .control(let app): AppKey(part: .control, app: app)
        case .phone(let app, _): AppKey(part: .phones, app: app)
        case .open: AppKey(part: .open, app: nil)
        }
    }

    /// Holds further bytes.
    ///
    /// - Returns: Whether they fit. If not, nothing more is held.
    mutating func reserve(_ bytes: Int, for holder: BodyHolder) -> Bool {
        guard limit == 0 || fits(bytes, for: holder) else { return false }
        add(bytes, for: holder)
        return true
    }

    mutating func release(_ bytes: Int, of holder: BodyHolder) { add(-bytes, for: holder) }

    private func fits(_ bytes: Int, for holder: BodyHolder) -> Bool {
        guard held + bytes <= limit else { return false }
        let key = Self.key(of: holder)
        let part = parts[key.part, default: 0] + bytes
        let app = apps[key, default: 0] + bytes
        let own = holders[holder, default: 0] + bytes
        switch holder {
        case .control: return FairShare.allows(own, of: held + bytes, within: limit)
        case .open: return FairShare.allows(own, of: part, within: limit / 4)
        case .phone:
            let most = FairShare.most(beside: part - app, within: limit / 2)
            return FairShare.allows(own, of: app, within: most)
        }
    }

    private mutating func add(_ bytes: Int, for holder: BodyHolder) {
        let key = Self.key(of: holder)
        held += bytes
        parts.add(bytes, at: key.part)
        apps.add(bytes, at: key)
        holders.add(bytes, at: holder)
    }
}

/// The bytes of request bodies that the server may hold at a time.
package final class BodyBudget: Sendable {
    private let refusals: Refusals
    private let shares: Mutex<BodyShares>

    /// - Parameter limit: in bytes; 0 means no limit.
    package init(limit: Int, refusals: Refusals = Refusals()) {
        self.refusals = refusals
        shares = Mutex(BodyShares(limit: limit))
    }

    /// How many bytes are held now.
    var bytes: Int { shares.withLock { $0.held } }

    /// Reserves further bytes of a body.
    ///
    /// - Throws: `unavailable` if they do not fit. Then nothing more is reserved.
    func reserve(_ bytes: Int, for holder: BodyHolder) throws(EyotError) {
        guard !shares.withLock({ $0.reserve(bytes, for: holder) }) else { return }
        refusals.note(.bodyBytes)
        throw Refusals.Kind.bodyBytes.error
    }

    func release(_ bytes: Int, of holder: BodyHolder) {
        guard bytes > 0 else { return }
        shares.withLock { $0.release(bytes, of: holder) }
    }
}

extension Dictionary where Value == Int {
    /// Adds to a count. A count of 0 is not kept.
    fileprivate mutating func add(_ number: Int, at key: Key) {
        let sum = self[key, default: 0] + number
        self[key] = sum == 0 ? nil : sum
    }
}

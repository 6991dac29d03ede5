import APNSWire
import EyotContract
import NIOHPACK

/// The broadcast channels of one app in one environment. It makes, reads, lists and deletes them.
///
/// No request is sent twice. If it is unknown whether Apple carried a request out, the error says so. A channel that
/// may have been made shows in ``all()``.
public struct APNSChannels: Sendable {
    /// The app's bundle identifier.
    public let bundleID: String
    private let lane: ChannelLane?

    init(bundleID: String, lane: ChannelLane?) {
        self.bundleID = bundleID
        self.lane = lane
    }

    /// Makes a channel. Its storage policy cannot be changed later.
    public func create(storing storage: APNSStoragePolicy) async throws(APNSChannelError) -> APNSChannelID {
        let body = APNSChannelDescription(storage: storage).json.utf8
        let response = try await perform(
            ChannelCall(method: "POST", path: APNSPath.channels(bundleID: bundleID), body: body))
        guard let text = response.headers.first(name: APNSHeader.channelID), let channel = APNSChannelID(text) else {
            throw .unknown("the answer names no channel")
        }
        return channel
    }

    /// Returns the description of a channel. Apple refuses an unknown channel with `ChannelNotRegistered`.
    public func description(of channel: APNSChannelID) async throws(APNSChannelError) -> APNSChannelDescription {
        let response = try await perform(
            ChannelCall(method: "GET", path: APNSPath.channels(bundleID: bundleID), channel: channel))
        guard let number = response.object?[APNSChannelDescription.storageKey]?.integer,
            let storage = APNSStoragePolicy(rawValue: Int(number))
        else { throw .unknown("the answer says nothing of what is stored") }
        return APNSChannelDescription(storage: storage)
    }

    /// Deletes a channel permanently. Its stored broadcast may still arrive. Apple refuses an unknown channel with
    /// `ChannelNotRegistered`.
    public func delete(_ channel: APNSChannelID) async throws(APNSChannelError) {
        _ = try await perform(
            ChannelCall(method: "DELETE", path: APNSPath.channels(bundleID: bundleID), channel: channel))
    }

    /// Returns all channels that Apple has for the app in this environment.
    public func all() async throws(APNSChannelError) -> [APNSChannelID] {
        let response = try await perform(ChannelCall(method: "GET", path: APNSPath.allChannels(bundleID: bundleID)))
        guard let list = response.object?[APNSChannelDescription.listKey]?.array else {
            throw .unknown("the answer has no list of channels")
        }
        return list.compactMap { $0.string.flatMap(APNSChannelID.init) }
    }

    private func perform(_ call: ChannelCall) async throws(APNSChannelError) -> ChannelResponse {
        guard let lane else { throw .notProcessed("the sender was shut down") }
        let response = try await lane.perform(call)
        guard (200..<300).contains(response.status) else {
            throw .refused(ErrorBody(status: response.status, bytes: response.body).reason)
        }
        return response
    }
}

/// The error of a request about channels.
public enum APNSChannelError: Error, Sendable, Equatable {
    /// Apple refused the request.
    case refused(APNSReason)
    /// The request provably did not reach Apple. The text says why.
    case notProcessed(String)
    /// The request may have been carried out. The text says what happened.
    case unknown(String)
}

extension APNSChannelError: CustomStringConvertible {
    /// A sentence for people.
    public var description: String {
        switch self {
        case .refused(let reason): "Apple refused it: \(reason.name), \(reason.meaning)"
        case .notProcessed(let why): "Apple was not reached: \(why)"
        case .unknown(let why): "Nobody knows whether Apple did it: \(why)"
        }
    }
}

/// A request about channels, without its app's credentials.
struct ChannelCall: Sendable {
    let method: String
    let path: String
    var channel: APNSChannelID?
    var body: [UInt8] = []

    func headers(authority: String, token: String) -> HPACKHeaders {
        var headers = HPACKHeaders([
            (":method", method), (":scheme", "https"), (":authority", authority), (":path", path),
        ])
        headers.add(name: APNSHeader.authorization, value: "bearer \(token)")
        if let channel { headers.add(name: APNSHeader.channelID, value: channel.text, indexing: .nonIndexable) }
        if !body.isEmpty { headers.add(name: "content-type", value: "application/json") }
        return headers
    }
}

/// The response to a request.
struct ChannelResponse: Sendable {
    var status = 0
    var headers = HPACKHeaders()
    var body: [UInt8] = []

    /// The body if it is an object; otherwise nil. The longest body is the list of ten thousand channels.
    var object: JSONObject? { (try? JSONValue(parsing: body, depthLimit: 8))?.object }
}

import APNSWire
import EyotContract
import NIOHPACK

/// The broadcast channels of one app in one environment: makes, reads, lists and deletes them.
///
/// Nothing is sent twice. Where it is not known whether Apple did what was asked, the error says so; a channel that may have
/// been made shows in ``all()``.
public struct APNSChannels: Sendable {
    /// The app.
    public let bundleID: String
    private let lane: ChannelLane?

    init(bundleID: String, lane: ChannelLane?) {
        self.bundleID = bundleID
        self.lane = lane
    }

    /// Makes a channel. What Apple keeps of its broadcasts cannot be changed later.
    public func create(storing storage: APNSStoragePolicy) async throws(APNSChannelError) -> APNSChannelID {
        let body = APNSChannelDescription(storage: storage).json.utf8
        let response = try await perform(
            ChannelCall(method: "POST", path: APNSPath.channels(bundleID: bundleID), body: body))
        guard let text = response.headers.first(name: APNSHeader.channelID), let channel = APNSChannelID(text) else {
            throw .unknown("the answer names no channel")
        }
        return channel
    }

    /// What a channel is like. One that Apple does not have is refused with `ChannelNotRegistered`.
    public func description(of channel: APNSChannelID) async throws(APNSChannelError) -> APNSChannelDescription {
        let response = try await perform(
            ChannelCall(method: "GET", path: APNSPath.channels(bundleID: bundleID), channel: channel))
        guard let number = response.object?[APNSChannelDescription.storageKey]?.integer,
            let storage = APNSStoragePolicy(rawValue: Int(number))
        else { throw .unknown("the answer says nothing of what is stored") }
        return APNSChannelDescription(storage: storage)
    }

    /// Deletes a channel for good. What it has stored may still arrive. One that Apple does not have is refused with
    /// `ChannelNotRegistered`.
    public func delete(_ channel: APNSChannelID) async throws(APNSChannelError) {
        _ = try await perform(
            ChannelCall(method: "DELETE", path: APNSPath.channels(bundleID: bundleID), channel: channel))
    }

    /// All channels that Apple has for the app in this environment.
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

/// Why a request about channels brought nothing.
public enum APNSChannelError: Error, Sendable, Equatable {
    /// Apple refused.
    case refused(APNSReason)
    /// It provably did not reach Apple; the words say why.
    case notProcessed(String)
    /// It may have been done or not; the words say what happened.
    case unknown(String)
}

extension APNSChannelError: CustomStringConvertible {
    /// What happened, for people.
    public var description: String {
        switch self {
        case .refused(let reason): "Apple refused it: \(reason.name), \(reason.meaning)"
        case .notProcessed(let why): "Apple was not reached: \(why)"
        case .unknown(let why): "Nobody knows whether Apple did it: \(why)"
        }
    }
}

/// One request about channels, without whose it is.
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

/// What came back.
struct ChannelResponse: Sendable {
    var status = 0
    var headers = HPACKHeaders()
    var body: [UInt8] = []

    /// The body, where it is an object. The list of ten thousand channels is the longest there is.
    var object: JSONObject? { (try? JSONValue(parsing: body, depthLimit: 8))?.object }
}

import APNSWire
import EyotContract

/// The checks of a broadcast to a channel.
///
/// A developer reports this order as Apple's documented chain: channel id, push type, expiration, priority, the channel
/// itself, the body.
struct BroadcastCheck {
    let app: ChannelRegistry.App
    let channel: APNSChannelID
    let priority: APNSPriority?
    let expiration: Int?
    private let check: AppRequestCheck

    init(_ check: AppRequestCheck, on connection: inout APNSConnectionState) throws(APNSRefusal) {
        let request = check.request
        if request.duplicate != nil { throw APNSRefusal(.duplicateHeaders) }
        guard request.path.hasPrefix(APNSPath.broadcasts) else { throw APNSRefusal(.badPath) }
        let name = request.path.dropFirst(APNSPath.broadcasts.count)
        guard !name.isEmpty, !name.contains("/") else { throw APNSRefusal(.badPath) }
        guard request.method == "POST" else { throw APNSRefusal(.methodNotAllowed) }
        app = try check.app(name, on: &connection)
        channel = try check.channelID()
        guard let pushType = request.pushType else { throw APNSRefusal(.missingPushType) }
        // Apple's table has it with a capital letter, its samples without: both are taken, which is a guess.
        guard pushType.lowercased() == APNSPushType.liveActivity.rawValue else { throw APNSRefusal(.invalidPushType) }
        let isNeeded = check.rules.broadcastNeedsPriorityAndExpiration
        expiration = try request.readExpiration()
        if isNeeded, expiration == nil { throw APNSRefusal(.badExpirationDate) }
        priority = try request.readPriority()
        if isNeeded, priority == nil { throw APNSRefusal(.badPriority) }
        // Apple's table of broadcasts is reported to list 1 with 5 and 10. Its page on Live Activities names only 5 and
        // 10.
        if priority == .lowest, !check.rules.broadcastTakesLowestPriority { throw APNSRefusal(.badPriority) }
        self.check = check
    }

    /// Checks the rest once the channel is known. A channel without storage requires each broadcast to say so, and a
    /// body is required. A wrong event in it is accepted, as for pushes, and phones drop it.
    func checkRest(_ storage: APNSStoragePolicy) throws(APNSRefusal) {
        if storage == .none, let expiration, expiration != 0 { throw APNSRefusal(.badExpirationDate) }
        _ = try check.bodyObject()
    }
}

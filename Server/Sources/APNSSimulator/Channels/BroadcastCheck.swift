import APNSWire
import EyotContract

/// A broadcast that may go out, if its channel is one.
struct BroadcastCheck {
    let app: ChannelRegistry.App
    let channel: APNSChannelID
    let priority: APNSPriority?
    let expiration: Int?

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
        priority = try request.readPriority()
        expiration = try request.readExpiration()
        // Of Live Activities Apple names 5 and 10 only; that 1 is refused is a guess.
        if priority == .lowest { throw APNSRefusal(.badPriority) }
        if check.rules.broadcastNeedsPriorityAndExpiration {
            if priority == nil { throw APNSRefusal(.badPriority) }
            if expiration == nil { throw APNSRefusal(.badExpirationDate) }
        }
        // No deeper than this, as for pushes: a wrong event is accepted, and phones drop it.
        _ = try check.bodyObject()
    }

    /// A channel that keeps nothing wants to hear so with each broadcast.
    func checkExpiration(_ storage: APNSStoragePolicy) throws(APNSRefusal) {
        if storage == .none, let expiration, expiration != 0 { throw APNSRefusal(.badExpirationDate) }
    }
}

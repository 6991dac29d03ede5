import APNSWire
import EyotContract

/// A request about channels.
enum ChannelRequest: Sendable, Equatable {
    case create(APNSChannelDescription)
    case read(APNSChannelID)
    case delete(APNSChannelID)
    case list

    /// Reads a request and says which app it is for.
    static func read(
        _ check: AppRequestCheck, on connection: inout APNSConnectionState
    ) throws(APNSRefusal) -> (request: ChannelRequest, app: ChannelRegistry.App) {
        let request = check.request
        if request.duplicate != nil { throw APNSRefusal(.duplicateHeaders) }
        guard request.path.hasPrefix(APNSPath.apps) else { throw APNSRefusal(.badPath) }
        let parts = request.path.dropFirst(APNSPath.apps.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { throw APNSRefusal(.badPath) }
        let isList = parts[1] == APNSPath.allChannelsSuffix
        guard isList || parts[1] == APNSPath.channelsSuffix else { throw APNSRefusal(.badPath) }
        let methods = isList ? ["GET"] : ["POST", "GET", "DELETE"]
        guard methods.contains(request.method) else { throw APNSRefusal(.methodNotAllowed) }
        let app = try check.app(parts[0], on: &connection)
        if isList { return (.list, app) }
        switch request.method {
        case "GET": return (.read(try check.channelID()), app)
        case "DELETE": return (.delete(try check.channelID()), app)
        default: return (.create(try description(in: check.bodyObject())), app)
        }
    }

    /// That a storage policy which is missing or unknown is BadRequestParams, is a guess.
    private static func description(in body: JSONObject) throws(APNSRefusal) -> APNSChannelDescription {
        let known = [APNSChannelDescription.storageKey, APNSChannelDescription.pushTypeKey]
        guard body.members.allSatisfy({ known.contains($0.name) }) else { throw APNSRefusal(.badRequestParams) }
        guard let pushType = body[APNSChannelDescription.pushTypeKey] else { throw APNSRefusal(.missingPushType) }
        guard pushType.string == APNSChannelDescription.pushType else { throw APNSRefusal(.invalidPushType) }
        guard let number = body[APNSChannelDescription.storageKey]?.integer,
            let storage = APNSStoragePolicy(rawValue: Int(number))
        else { throw APNSRefusal(.badRequestParams) }
        return APNSChannelDescription(storage: storage)
    }
}

import APNSSender
import APNSWire
import EyotContract
import EyotDomain

/// The sender as the port that makes and deletes channels.
struct SenderChannels: ChannelMaker {
    let pusher: SenderPusher

    func makeChannel(of app: App, in environment: PushEnvironment, with key: PushCredentials) async -> ChannelAnswer {
        await answer { () throws(APNSChannelError) in
            try await .made(channels(of: app, in: environment, key).create(storing: .mostRecent))
        }
    }

    func delete(_ channel: Channel, of app: App, with key: PushCredentials) async -> ChannelAnswer {
        guard let apple = channel.apple else { return .deleted }
        return await answer { () throws(APNSChannelError) in
            try await channels(of: app, in: channel.environment, key).delete(apple)
            return .deleted
        }
    }

    private func channels(
        of app: App, in environment: PushEnvironment, _ key: PushCredentials
    ) async throws(APNSChannelError) -> APNSChannels {
        do {
            return pusher.sender.channels(of: app.bundleID, in: environment, key: try await pusher.prepared(key))
        } catch {
            // The key was checked when it was declared. If it does not work now, it counts as refused by Apple.
            throw .refused(.invalidProviderToken)
        }
    }

    private func answer(_ body: () async throws(APNSChannelError) -> ChannelAnswer) async -> ChannelAnswer {
        do {
            return try await body()
        } catch {
            guard case .refused(let reason) = error else { return .failed }
            return .refused(reason)
        }
    }
}

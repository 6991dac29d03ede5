import EyotContract

/// The way to Apple that makes and deletes channels. It never sends a request twice.
package protocol ChannelMaker: Sendable {
    /// Makes a channel that keeps its latest broadcast.
    func makeChannel(of app: App, in environment: PushEnvironment, with key: PushCredentials) async -> ChannelAnswer
    func delete(_ channel: Channel, of app: App, with key: PushCredentials) async -> ChannelAnswer
}

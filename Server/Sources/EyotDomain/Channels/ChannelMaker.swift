import EyotContract

/// Asks Apple for channels, and gives them back. It never asks twice.
package protocol ChannelMaker: Sendable {
    /// Makes a channel that keeps its latest broadcast.
    func makeChannel(of app: App, in environment: PushEnvironment, with key: PushCredentials) async -> ChannelAnswer
    func delete(_ channel: Channel, of app: App, with key: PushCredentials) async -> ChannelAnswer
}

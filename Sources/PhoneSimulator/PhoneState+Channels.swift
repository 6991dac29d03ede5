import Foundation

extension PhoneState {
    /// Whether a text can be the id of a channel.
    static func isChannelID(_ text: String) -> Bool { !text.isEmpty && Data(base64Encoded: text) != nil }

    /// Reports the channels of the running cards to Apple. An offline phone reports them later.
    mutating func followChannels() {
        guard isOnline else { return }
        let wanted = Set(cards.filter(\.phase.isRunning).compactMap(\.updates.channel))
        guard wanted != subscribedChannels else { return }
        for channel in wanted.subtracting(subscribedChannels).sorted() { emit(.subscribed(channel: channel)) }
        for channel in subscribedChannels.subtracting(wanted).sorted() { emit(.unsubscribed(channel: channel)) }
        subscribedChannels = wanted
    }
}

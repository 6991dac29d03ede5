import APNSWire

/// A push as it leaves.
package struct RenderedPush {
    package var template: PushTemplate
    /// A card that it starts follows the channel.
    package var isFollowing: Bool
    package var leavesAlertOut: Bool
}

/// How a push is written, in one place for all that send or show it.
extension Push {
    /// What goes to tokens.
    ///
    /// - Parameters:
    ///   - channel: the one that a card which is started is to follow.
    ///   - now: when it leaves.
    package func template(
        of activity: Activity, in app: App, following channel: APNSChannelID?, at now: Instant,
        declaration: DeclarationLookup
    ) throws -> RenderedPush {
        var payload = try payload(type: activity.type, declaration: declaration)
        if event == .start {
            // A start that arrives late shows its age.
            payload.staleDate = payload.staleDate ?? now.second + APNSLimits.activeLifetime
            if asksForToken, let channel { payload = payload.following(channel) }
        }
        let leavesAlertOut = event != .start && payload.dropAlert(toFit: APNSLimits.payloadBytes)
        let (body, offset) = payload.render()
        let template = PushTemplate(
            topic: app.topic, priority: priority,
            expiration: event == .start ? now.second + Int(Lease.expiration) : nil,
            collapseID: event == .start ? "start-\(activity.id.rawValue)" : nil, body: body,
            timestampOffset: offset, isRepeatable: event != .start)
        return RenderedPush(
            template: template, isFollowing: payload.inputPushChannel != nil, leavesAlertOut: leavesAlertOut)
    }

    /// What goes to a channel.
    package func broadcastTemplate(
        of activity: Activity, in app: App, at now: Instant, declaration: DeclarationLookup
    ) throws -> PushTemplate {
        var payload = try payload(type: activity.type, declaration: declaration)
        _ = payload.dropAlert(toFit: APNSLimits.broadcastPayloadBytes)
        let (body, offset) = payload.render()
        return PushTemplate(
            topic: app.bundleID, priority: priority, expiration: now.second + APNSLimits.channelStorageLifetime,
            body: body, timestampOffset: offset)
    }
}

extension LiveActivityPayload {
    /// The start of a card that follows a channel instead of having a token, where that fits. What a phone does that is asked
    /// for both, Apple does not say.
    fileprivate func following(_ channel: APNSChannelID) -> LiveActivityPayload {
        var start = self
        start.inputPushChannel = channel
        start.inputPushToken = false
        start.further?[LiveActivityKey.inputPushToken] = nil
        return start.render().body.count <= APNSLimits.payloadBytes ? start : self
    }

    /// State and alert of two declarations may be too large together; the state is what must arrive.
    ///
    /// - Returns: whether there is an alert no more.
    fileprivate mutating func dropAlert(toFit limit: Int) -> Bool {
        guard alert != nil, render().body.count > limit else { return false }
        alert = nil
        return true
    }
}

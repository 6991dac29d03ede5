import APNSWire

/// A push as it is sent.
package struct RenderedPush {
    package var template: PushTemplate
    /// Whether the card that it starts follows a channel.
    package var isFollowing: Bool
    package var leavesAlertOut: Bool
}

/// The rendering of a push, in one place for all code that sends or shows it.
extension Push {
    /// Renders a push to tokens.
    ///
    /// - Parameters:
    ///   - channel: the channel that a started card follows; nil if there is none.
    ///   - now: when the push leaves.
    package func template(
        of activity: Activity, in app: App, following channel: APNSChannelID?, at now: Instant,
        declaration: DeclarationLookup
    ) throws -> RenderedPush {
        var payload = try payload(type: activity.type, declaration: declaration)
        if event == .start {
            // A start that arrives late is shown as stale.
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

    /// Renders a push to a channel.
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
    /// Returns a start of a card that follows a channel instead of having a token, if that fits; otherwise returns
    /// itself. Apple does not say what a phone does with a start that asks for both.
    fileprivate func following(_ channel: APNSChannelID) -> LiveActivityPayload {
        var start = self
        start.inputPushChannel = channel
        start.inputPushToken = false
        start.further?[LiveActivityKey.inputPushToken] = nil
        return start.render().body.count <= APNSLimits.payloadBytes ? start : self
    }

    /// Drops the alert if the payload is larger than `limit` bytes. The state and the alert may come from two
    /// declarations, and the state is what must arrive.
    ///
    /// - Returns: whether the alert was dropped.
    fileprivate mutating func dropAlert(toFit limit: Int) -> Bool {
        guard alert != nil, render().body.count > limit else { return false }
        alert = nil
        return true
    }
}

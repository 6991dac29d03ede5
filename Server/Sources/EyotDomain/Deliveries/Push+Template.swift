import APNSWire

/// How a push is written, in one place for all that send or show it.
extension Push {
    /// What goes to tokens.
    ///
    /// - Parameters:
    ///   - channel: the one that a card which is started is to follow.
    ///   - now: when it leaves.
    /// - Returns: the template, and whether a card that it starts follows the channel.
    package func template(
        of activity: Activity, in app: App, following channel: APNSChannelID?, at now: Instant,
        declaration: DeclarationLookup
    ) throws -> (template: PushTemplate, isFollowing: Bool) {
        var payload = try payload(type: activity.type, declaration: declaration)
        if event == .start {
            // A start that arrives late shows its age.
            payload.staleDate = payload.staleDate ?? now.second + APNSLimits.activeLifetime
            if asksForToken, let channel { payload = payload.following(channel) }
        }
        let (body, offset) = payload.rendered(within: APNSLimits.payloadBytes, droppingAlert: event != .start)
        let template = PushTemplate(
            topic: app.topic, priority: priority,
            expiration: event == .start ? now.second + Int(Lease.expiration) : nil,
            collapseID: event == .start ? "start-\(activity.id.rawValue)" : nil, body: body,
            timestampOffset: offset, isRepeatable: event != .start)
        return (template, payload.inputPushChannel != nil)
    }

    /// What goes to a channel.
    package func broadcastTemplate(
        of activity: Activity, in app: App, at now: Instant, declaration: DeclarationLookup
    ) throws -> PushTemplate {
        let payload = try payload(type: activity.type, declaration: declaration)
        let (body, offset) = payload.rendered(within: APNSLimits.broadcastPayloadBytes, droppingAlert: true)
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
        return start.render().body.count <= APNSLimits.payloadBytes ? start : self
    }

    /// State and alert of two declarations may be too large together; the state is what must arrive.
    fileprivate func rendered(within limit: Int, droppingAlert: Bool) -> (body: [UInt8], timestampOffset: Int) {
        let whole = render()
        guard whole.body.count > limit, droppingAlert else { return whole }
        var state = self
        state.alert = nil
        return state.render()
    }
}

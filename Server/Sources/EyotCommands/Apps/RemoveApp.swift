import EyotContract
import EyotDomain

/// The removal of an app. Its keys and names go at once, and its other rows in short steps, because other writers wait
/// for each step. Apple's channels of the app are deleted before its APNs keys go.
package struct RemoveApp: UseCase {
    /// About how many rows a step removes.
    package static let rows = 200
    /// Seconds before the first step, in which Apple answers the pushes in flight.
    package static let patience = 60.0
    /// Seconds for which Eyot asks Apple to delete the app's channels. Channels that are left then stay with Apple.
    package static let channelPatience = 86_400.0

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Closes the app. From now on no caller can reach it, and nothing is sent for it.
    ///
    /// - Parameter leavesCards: Whether running cards may stay on their phones. iOS ends them after hours.
    /// - Throws: ``EyotError`` with `appInUse`, unless cards may be left.
    package func callAsFunction(_ id: AppID, leavesCards: Bool) throws {
        guard var app = try ledger.app(id), app.removedAt == nil else {
            throw EyotError(.appUnknown, "the app was removed")
        }
        if !leavesCards, let name = try ledger.runningActivityName(of: id) {
            throw EyotError(.appInUse, "activity \(name) has not ended, so its cards would stay on their phones")
        }
        for key in try ledger.apiKeys(of: id) { try ledger.removeAPIKey(key.id) }
        for key in try ledger.formerAppKeys(of: id) { try ledger.removeFormerAppKey(key.text) }
        (app.removedAt, app.haltedAt) = (now, app.haltedAt ?? now)
        // A pause would stop the requests to delete channels.
        (app.pauses, app.trials) = ([:], [:])
        // Its events are removed with it.
        try ledger.update(unrecorded: app)
    }

    /// Removes the next rows of an app that was closed.
    ///
    /// - Returns: Whether there may be more to do now.
    package func step(_ app: App) throws -> Bool {
        guard let removedAt = app.removedAt, now >= removedAt + Self.patience else { return false }
        var left = Self.rows
        for live in try ledger.liveAudiences(of: app.id, limit: left) {
            try ledger.remove(live)
            left -= 1
        }
        for list in try ledger.memberLists(of: app.id, after: 0, limit: left) {
            try ledger.remove(list)
            left -= 1
        }
        try removeActivities(of: app.id, &left)
        for user in try ledger.users(in: app.id, after: "", limit: left) {
            try ledger.removeUser(user.externalID, of: app.id)
            left -= 1
        }
        try removeDevices(of: app.id, &left)
        guard left > 0 else { return true }
        if try hasChannels(app.id), now < removedAt + Self.channelPatience { return false }
        guard try ledger.removeRows(of: app.id, limit: left) == 0 else { return true }
        try ledger.removeApp(app.id)
        return false
    }

    private func removeActivities(of app: AppID, _ left: inout Int) throws {
        guard left > 0 else { return }
        for id in try ledger.activities(of: app, after: ActivityID(rawValue: 0), limit: left) {
            left -= try ledger.removeAcceptances(of: id, limit: left)
            if left > 0 { left -= try ledger.removeReplicas(of: id, limit: left) }
            if left > 0 { left -= try ledger.removeDeclarations(of: id, limit: left) }
            guard left > 0 else { return }
            try ledger.removeActivity(id)
            left -= 1
            if left == 0 { return }
        }
    }

    private func removeDevices(of app: AppID, _ left: inout Int) throws {
        guard left > 0 else { return }
        for id in try ledger.deviceIDs(of: app, limit: left) {
            for token in try ledger.startTokens(of: id) {
                try ledger.removeStartToken(of: id, type: token.type)
                left -= 1
            }
            try ledger.removeChanged(id)
            try ledger.removeDevice(id)
            left -= 1
            if left <= 0 { return }
        }
    }

    /// Whether Apple may still have channels of the app. It also starts their deletion.
    private func hasChannels(_ app: AppID) throws -> Bool {
        let channels = try ledger.channels(in: app, after: ChannelID(rawValue: 0), limit: Self.rows)
            .filter { ![.lost, .wanted, .deleted].contains($0.phase) }
        for var channel in channels where channel.phase != .deleting {
            (channel.phase, channel.freeAt, channel.dueAt) = (.deleting, nil, now)
            try ledger.update(channel)
        }
        return !channels.isEmpty
    }
}

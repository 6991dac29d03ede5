import EyotDomain

/// What follows where a phone is somebody else's from now on. What has not left of starts that were for its former user, in activities
/// which are not open to the phone any more, is not made: another person would see it (R12). Should the user be back, the next call that
/// starts them may start it again.
struct CallOffStarts {
    let ledger: any Ledger

    /// - Parameters:
    ///   - device: as it stands now.
    ///   - former: its user before; nil where it had none.
    func callAsFunction(on device: Device, formerly former: String?) throws {
        guard let former, device.user != former, let app = try ledger.app(device.app) else { return }
        try ledger.forEachReplica(of: device.id) { planned in
            var replica = planned
            guard replica.callOffForOther(), let activity = try ledger.activity(planned.activity),
                activity.isForOthers(than: device, formerly: former, of: app)
            else { return }
            try ledger.update(replica)
        }
    }
}

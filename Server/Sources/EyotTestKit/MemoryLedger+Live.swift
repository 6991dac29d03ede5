import EyotDomain

/// Live audiences, in the simplest form.
extension MemoryLedger {
    package func liveAudience(of activity: ActivityID, version: Int) -> LiveAudience? {
        liveAudiences.first { $0.activity == activity && $0.start.attributesVersion == version }
    }

    package func liveAudiences(of app: AppID, limit: Int) -> [LiveAudience] {
        ordered.filter { $0.app == app }.prefix(limit).map(\.self)
    }

    package func unlookedLiveAudiences(limit: Int) -> [LiveAudience] {
        ordered.filter { $0.looked != nil }.prefix(limit).map(\.self)
    }

    private var ordered: [LiveAudience] {
        liveAudiences.sorted {
            ($0.activity.rawValue, $0.start.attributesVersion) < ($1.activity.rawValue, $1.start.attributesVersion)
        }
    }

    package func put(_ live: LiveAudience) {
        remove(live)
        liveAudiences.append(live)
    }

    package func remove(_ live: LiveAudience) {
        liveAudiences.removeAll {
            $0.activity == live.activity && $0.start.attributesVersion == live.start.attributesVersion
        }
    }

    package func noteChanged(_ device: DeviceID) {
        if !changedDevices.contains(device) { changedDevices.append(device) }
    }

    package func changedDevices(limit: Int) -> [DeviceID] { Array(changedDevices.prefix(limit)) }
    package func removeChanged(_ device: DeviceID) { changedDevices.removeAll { $0 == device } }
}

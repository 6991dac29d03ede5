import EyotDomain

/// Users and audiences, in the simplest form.
extension MemoryLedger {
    package func user(_ externalID: String, in app: AppID) -> User? {
        users[UserKey(app: app, externalID: externalID)]
    }

    package func users(in app: AppID, after externalID: String, limit: Int) -> [User] {
        users.values.filter { $0.app == app && externalID.utf8.lexicographicallyPrecedes($0.externalID.utf8) }
            .sorted { $0.externalID.utf8.lexicographicallyPrecedes($1.externalID.utf8) }.prefix(limit).map(\.self)
    }

    package func user(of alias: UserAlias, in app: AppID) -> String? {
        users.values.first { $0.app == app && $0.aliases[alias.label] == alias.name }?.externalID
    }

    package func put(_ user: User) {
        note(user.traits.names, in: user.app)
        users[UserKey(app: user.app, externalID: user.externalID)] = user
    }

    /// Records names as set by the backend.
    func note(_ names: Set<TraitName>, in app: AppID) {
        for name in names where backendNames[app]?[name] == nil {
            let wasPhones = devices.contains { $0.app == app && isSaid(name, byPhone: $0.id) }
            backendNames[app, default: [:]][name] = BackendName(name, wasPhones: wasPhones)
        }
    }

    private func isSaid(_ name: TraitName, byPhone id: DeviceID) -> Bool {
        let profile = deviceProfile(of: id)
        return Traits(tags: profile.tags, attributes: profile.attributes).names.contains(name)
    }

    package func backendName(_ name: TraitName, in app: AppID) -> BackendName? { backendNames[app]?[name] }

    package func removeUser(_ externalID: String, of app: AppID) {
        users[UserKey(app: app, externalID: externalID)] = nil
    }

    package func segment(_ name: String, in app: AppID) -> Segment? {
        segments.first { $0.app == app && $0.name == name }
    }

    package func segments(in app: AppID, after name: String, limit: Int) -> [Segment] {
        segments.filter { $0.app == app && name.utf8.lexicographicallyPrecedes($0.name.utf8) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.prefix(limit).map(\.self)
    }

    package func put(_ segment: Segment) {
        _ = removeSegment(segment.name, of: segment.app)
        segments.append(segment)
    }

    package func removeSegment(_ name: String, of app: AppID) -> Bool {
        let before = segments.count
        segments.removeAll { $0.app == app && $0.name == name }
        return segments.count < before
    }

    package func devices(in audience: Audience, of app: AppID, after id: DeviceID, limit: Int) -> [Device] {
        Array(
            devices.lazy.filter { device in
                device.app == app && !device.isForgotten && device.id.rawValue > id.rawValue
                    && audience.contains(self.member(device))
            }.prefix(limit))
    }

    private func member(_ device: Device) -> AudienceMember {
        let user: User? = device.user.flatMap { self.user($0, in: device.app) }
        let (profile, traits) = (deviceProfile(of: device.id), deviceTraits(of: device.id))
        var member = AudienceMember(device)
        member.tags[.user] = user?.traits.allTags ?? []
        member.tags[.device] = traits.allTags.union(profile.tags.map { Tag($0) })
        member.tags[.backend] = traits.allTags.union(user?.traits.allTags ?? [])
        member.attributes[.user] = user?.traits.attributes
        member.attributes[.device] = profile.attributes.merging(traits.attributes) { $1 }
        member.attributes[.backend] = traits.attributes
        for (label, name) in user?.aliases ?? [:] { member.aliases.insert(UserAlias(label: label, name: name)) }
        member.types = Set(startTokens(of: device.id).filter { $0.death == nil }.map(\.type))
        return member
    }
}

import EyotDomain

/// The schemas of types by build, in the simplest form.
extension MemoryLedger {
    package func schemas(of type: String, in app: AppID) -> [TypeSchema] {
        schemas.filter { $0.app == app && $0.type == type }
            .sorted { $0.build.utf8.lexicographicallyPrecedes($1.build.utf8) }
    }

    package func knownTypes(in app: AppID, after name: String, limit: Int) -> [KnownType] {
        var found: [String: KnownType] = [:]
        for schema in schemas where schema.app == app {
            found[schema.type, default: KnownType(schema.type)].schemas += 1
        }
        for type in (profiles[app] ?? [:]).keys { found[type, default: KnownType(type)].hasProfile = true }
        for type in keptTypes[app] ?? [] { found[type, default: KnownType(type)].isCounted = true }
        let above = found.values.filter { name.utf8.lexicographicallyPrecedes($0.name.utf8) }
        return Array(above.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.prefix(limit))
    }

    package func hasSchemas(of type: String, in app: AppID) -> Bool { !schemas(of: type, in: app).isEmpty }

    package func schema(of type: String, build: String, in app: AppID) -> TypeSchema? {
        schemas(of: type, in: app).first { $0.build == build }
    }

    package func put(_ schema: TypeSchema) {
        _ = removeSchema(of: schema.type, build: schema.build, in: schema.app)
        schemas.append(schema)
    }

    package func removeSchema(of type: String, build: String, in app: AppID) -> Bool {
        let before = schemas.count
        schemas.removeAll { $0.app == app && $0.type == type && $0.build == build }
        return schemas.count < before
    }

    package func builds(of activity: ActivityID) -> Set<String> { activityBuilds[activity] ?? [] }

    package func note(_ build: String, of activity: ActivityID) {
        guard builds(of: activity).count < TypeSchema.buildsPerActivity else { return }
        activityBuilds[activity, default: []].insert(build)
    }

    package func hasReplica(of activity: ActivityID, build: String) -> Bool {
        (replicas[activity] ?? []).contains { replica in
            [.starting, .waitingForToken, .live].contains(replica.phase) && device(replica.device)?.appVersion == build
        }
    }

    package func builds(in audience: Audience, of app: AppID) -> Set<String> {
        Set(
            deviceIDs(in: audience, of: app, after: DeviceID(rawValue: 0), limit: .max).compactMap {
                device($0)?.appVersion
            })
    }

    package func builds(of activity: ActivityID, in audience: Audience, of app: AppID) -> Set<String> {
        let members = Set(deviceIDs(in: audience, of: app, after: DeviceID(rawValue: 0), limit: .max))
        let devices = (replicas[activity] ?? []).map(\.device).filter(members.contains)
        return Set(devices.compactMap { device($0)?.appVersion })
    }
}

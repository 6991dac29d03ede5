import EyotDomain

/// Definitions and test devices, in the simplest form.
extension MemoryLedger {
    package func definition(_ name: String, in app: AppID) -> Definition? {
        definitions.first { $0.app == app && $0.name == name }
    }

    package func definitions(of app: AppID, after name: String, limit: Int) -> [Definition] {
        let later = definitions.filter { $0.app == app && name.utf8.lexicographicallyPrecedes($0.name.utf8) }
        return Array(later.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.prefix(limit))
    }

    package func definitionCount(of app: AppID) -> Int { definitions.count { $0.app == app && $0.usedAt == nil } }

    package func noteUse(ofDefinition name: String, in app: AppID, at moment: Instant) {
        guard let index = definitions.firstIndex(where: { $0.app == app && $0.name == name }),
            let former = definitions[index].usedAt, former < moment
        else { return }
        definitions[index].usedAt = moment
    }

    package func removeDefinitions(of app: AppID, beyond limit: Int) {
        let used = definitions.compactMap { one in one.app == app ? one.usedAt.map { ($0, one.name) } : nil }
            .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        let leaving = Set(used.dropLast(limit).map(\.1))
        definitions.removeAll { $0.app == app && leaving.contains($0.name) }
    }

    package func put(_ definition: Definition) {
        _ = removeDefinition(definition.name, of: definition.app)
        definitions.append(definition)
    }

    package func removeDefinition(_ name: String, of app: AppID) -> Bool {
        let before = definitions.count
        definitions.removeAll { $0.app == app && $0.name == name }
        return definitions.count < before
    }

    package func testDevice(_ name: String, in app: AppID) -> TestDevice? {
        testDevices.first { $0.app == app && $0.name == name }
    }

    package func testDevices(of app: AppID) -> [TestDevice] {
        testDevices.filter { $0.app == app }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    package func put(_ testDevice: TestDevice) {
        _ = removeTestDevice(testDevice.name, of: testDevice.app)
        testDevices.append(testDevice)
    }

    package func removeTestDevice(_ name: String, of app: AppID) -> Bool {
        let before = testDevices.count
        testDevices.removeAll { $0.app == app && $0.name == name }
        return testDevices.count < before
    }
}

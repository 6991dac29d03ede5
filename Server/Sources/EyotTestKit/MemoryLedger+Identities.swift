import EyotDomain

extension MemoryLedger {
    package func identityKeys(of app: AppID) -> [IdentityKey] {
        identityKeyRows.filter { $0.app == app }
            .sorted { Array($0.id.utf8).lexicographicallyPrecedes(Array($1.id.utf8)) }
    }

    package func put(_ key: IdentityKey) {
        identityKeyRows.removeAll { $0.app == key.app && $0.id == key.id }
        identityKeyRows.append(key)
    }

    package func removeIdentityKey(_ id: String, of app: AppID) -> Bool {
        let before = identityKeyRows.count
        identityKeyRows.removeAll { $0.app == app && $0.id == id }
        return identityKeyRows.count < before
    }

    package func unprove(by key: String, in app: AppID) {
        for index in devices.indices where devices[index].app == app && devices[index].isProven {
            guard !devices[index].isImported, devices[index].provenBy.map({ $0 == key }) ?? true else { continue }
            (devices[index].isProven, devices[index].provenBy) = (false, nil)
        }
    }

    package func note(_ failure: IdentityFailure) {
        var numbered = failure
        numbered.number = (identityFailureRows.last { $0.app == failure.app }?.number ?? 0) + 1
        identityFailureRows.append(numbered)
    }

    package func removeIdentityFailures(of user: String, in app: AppID) {
        identityFailureRows.removeAll { $0.app == app && $0.user == user }
    }

    package func identityFailures(of app: AppID, before number: Int?, limit: Int) -> [IdentityFailure] {
        identityFailureRows.reversed().filter { $0.app == app && $0.number < number ?? Int.max }.prefix(limit)
            .map(\.self)
    }
}

import EyotDomain

/// Records of other vendors' APIs, in the simplest form.
extension MemoryLedger {
    package func vendorRecord(_ key: VendorRecord.Key, in app: AppID) -> VendorRecord? {
        vendorRecords.first { $0.app == app && $0.key == key }
    }

    package func vendorRecords(
        naming user: String, in app: AppID, after key: VendorRecord.Key?, limit: Int
    ) -> [VendorRecord.Key] {
        vendorRecords.filter { $0.app == app && $0.users.contains(user) }.map(\.key)
            .filter { own in key.map { Self.precedes($0, own) } ?? true }
            .sorted(by: Self.precedes).prefix(limit).map(\.self)
    }

    private static func precedes(_ one: VendorRecord.Key, _ other: VendorRecord.Key) -> Bool {
        guard one.vendor == other.vendor else {
            return one.vendor.rawValue.utf8.lexicographicallyPrecedes(other.vendor.rawValue.utf8)
        }
        return one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }

    package func put(_ record: VendorRecord) {
        vendorRecords.removeAll { $0.app == record.app && $0.key == record.key }
        vendorRecords.append(record)
    }

    package func forgetVendorRecords(of vendor: KeyPlane, endedBefore moment: Instant, limit: Int) {
        let over = vendorRecords.filter { $0.vendor == vendor && $0.endsAt < moment }
            .sorted { $0.endsAt < $1.endsAt }.prefix(limit)
        vendorRecords.removeAll { over.contains($0) }
    }
}

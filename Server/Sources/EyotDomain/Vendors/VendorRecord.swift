import EyotContract

/// What another vendor's API has to remember beside Eyot's own state. Its meaning is known to the vendor's plane alone.
package struct VendorRecord: Sendable, Hashable {
    package var app: AppID
    package var vendor: KeyPlane
    /// Unique for the app and the vendor.
    package var id: String
    /// External ids of users that it names. They are removed with the users.
    package var users: [String]
    package var content: JSONValue
    /// When it may be forgotten.
    package var endsAt: Instant

    package init(
        app: AppID, vendor: KeyPlane, id: String, users: [String] = [], content: JSONValue, endsAt: Instant
    ) {
        self.app = app
        self.vendor = vendor
        self.id = id
        self.users = users
        self.content = content
        self.endsAt = endsAt
    }

    /// The place of a record in an app.
    package struct Key: Sendable, Hashable {
        package var vendor: KeyPlane
        package var id: String

        package init(vendor: KeyPlane, id: String) {
            self.vendor = vendor
            self.id = id
        }
    }

    package var key: Key { Key(vendor: vendor, id: id) }
}

/// The records of other vendors' APIs.
package protocol VendorRecordLedger: AnyObject {
    func vendorRecord(_ key: VendorRecord.Key, in app: AppID) throws -> VendorRecord?
    /// Records above `key` with a user id that contains a text, in the order of vendor and id. It reads all of the
    /// app's records. Some results may contain the text in other letter case.
    func vendorRecords(
        naming user: String, in app: AppID, after key: VendorRecord.Key?, limit: Int
    ) throws -> [VendorRecord.Key]
    /// Stores a record in place of the former one with that key.
    func put(_ record: VendorRecord) throws
    /// Removes records of a vendor that ended before a moment, oldest first, up to a limit.
    func forgetVendorRecords(of vendor: KeyPlane, endedBefore moment: Instant, limit: Int) throws
}

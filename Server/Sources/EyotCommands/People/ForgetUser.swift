import EyotDomain

/// The removal of a user's id from all places beside the user's devices: activities, records of other vendors' APIs,
/// live audiences, segments, test devices and failed proofs. It also removes the user's traits.
package struct ForgetUser {
    /// Activities of one transaction.
    package static let activitiesAtOnce = 100
    /// Segments that are read together.
    private static let segmentsAtOnce = 500

    let ledger: any Ledger
    let app: AppID
    let user: String

    package init(ledger: any Ledger, app: AppID, user: String) {
        self.ledger = ledger
        self.app = app
        self.user = user
    }

    /// The places that still name the user, as many as one transaction changes. It only reads, and may take long.
    ///
    /// - Parameter former: The places that were removed before, if there were more.
    package func traces(after former: Traces = Traces()) throws -> Traces {
        var traces = former
        traces.activities = try ledger.activities(
            naming: user, in: app, after: former.lastActivity, limit: Self.activitiesAtOnce)
        traces.records = try ledger.vendorRecords(
            naming: user, in: app, after: former.lastRecord, limit: Self.activitiesAtOnce)
        let segments = try ledger.segments(in: app, after: former.lastSegment, limit: Self.segmentsAtOnce)
        traces.segments = segments.filter { $0.audience.names(user: user) }.map(\.name)
        traces.lastSegment = segments.last?.name ?? former.lastSegment
        traces.hasMoreSegments = segments.count == Self.segmentsAtOnce
        traces.lastActivity = traces.activities.last ?? former.lastActivity
        traces.lastRecord = traces.records.last ?? former.lastRecord
        return traces
    }

    /// The activities, records and segments that name a user.
    package struct Traces: Sendable {
        package fileprivate(set) var activities: [ActivityID] = []
        package fileprivate(set) var records: [VendorRecord.Key] = []
        package fileprivate(set) var segments: [String] = []
        /// The last one of each kind that was found. It stays if there are no more, because one kind may be complete
        /// before another.
        fileprivate var lastActivity = ActivityID(rawValue: 0)
        fileprivate var lastRecord: VendorRecord.Key?
        fileprivate var lastSegment = ""
        fileprivate var hasMoreSegments = false

        package init() {}

        package var isEmpty: Bool { activities.isEmpty && records.isEmpty && segments.isEmpty && !hasMoreSegments }
    }

    package func remove(_ traces: Traces) throws {
        for id in traces.activities {
            guard var activity = try ledger.activity(id) else { continue }
            activity.users.remove(user)
            try ledger.update(activity)
        }
        for segment in traces.segments { try leave(segment) }
        for key in traces.records {
            guard var record = try ledger.vendorRecord(key, in: app) else { continue }
            record.users.removeAll { $0 == user }
            try ledger.put(record)
        }
    }

    /// Takes the user from a phone that took over the user's places and has named none since. Private cards of the user
    /// end there.
    package func leave(_ id: DeviceID, at now: Instant) throws {
        guard let former = try ledger.device(id), former.formerUser == user else { return }
        let transaction = Transaction(ledger, at: now)
        var device = former
        device.formerUser = nil
        try LeaveFormerUser(transaction: transaction)(on: device, formerly: user)
        try transaction.update(device, from: former)
    }

    private func leave(_ segment: String) throws {
        guard var named = try ledger.segment(segment, in: app) else { return }
        named.audience = named.audience.withoutUser(user)
        try ledger.put(named)
    }

    /// Performs the last step, when no activity or segment names the user.
    package func callAsFunction() throws {
        for var audience in try ledger.liveAudiences(of: app, limit: LiveAudience.perApp)
        where audience.asked.audience.names(user: user) {
            audience.asked.audience = audience.asked.audience.withoutUser(user)
            try ledger.put(audience)
        }
        for testDevice in try ledger.testDevices(of: app) where testDevice.target == .user(user) {
            _ = try ledger.removeTestDevice(testDevice.name, of: app)
        }
        try ledger.removeIdentityFailures(of: user, in: app)
        try ledger.removeUser(user, of: app)
    }
}

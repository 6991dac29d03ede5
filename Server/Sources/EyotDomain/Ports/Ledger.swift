import EyotContract

/// The rows that a transition reads and writes inside one transaction.
///
/// The domain decides; a ledger only reads and stores. There are two ledgers: values in memory, on which the scenarios
/// run, and SQL. The same scenarios run on both.
package protocol Ledger: AppLedger, DeviceLedger, PeopleLedger, MemberLedger, ArrivalLedger, ActivityLedger,
    ReplicaLedger, RingLedger, ChannelLedger, PruningLedger, AnswerLedger, NodeLedger, SchemaLedger, VendorRecordLedger,
    IdentityLedger, DefinitionLedger, TestDeviceLedger, LiveLedger, AuditLedger, JoinLedger, PlanningLedger,
    AppUsageLedger, AccessLedger, AppRemovalLedger, EventLedger, EchoLedger, AcceptanceLedger, WebhookLedger,
    CountLedger, WatchLedger, PanelLedger, OverviewLedger, LogLedger
{
    /// Activities that this transaction made due. After the commit they are a hint to the engine.
    var woken: Set<ActivityID> { get set }
    /// What this transaction did and metrics count. After the commit it goes to the store's observer.
    var occurrences: [Occurrence: Int] { get set }
    /// The operations that this transaction made for traced calls. They go to the observer, too.
    var traced: [TracedOperation] { get set }

    /// Activities that are due at or before a moment and may be sent for, in the order of
    /// ``DueActivity/byTurns(_:limit:)``. Activities that are halted, or belong to a paused app, are left out.
    ///
    /// An activity with replicas that a pause skipped is due again when its app is resumed in that environment. Half of
    /// the room is kept for the other activities of its app.
    ///
    /// - Parameter shards: the activities that are asked for.
    func dueActivities(at now: Instant, limit: Int, in shards: Shards) throws -> [DueActivity]
    /// Activities of an app that become due after one moment and up to another, soonest first. Halted ones are left
    /// out.
    func activitiesDue(of app: AppID, after now: Instant, upTo moment: Instant, limit: Int) throws -> [ActivityID]
    /// Activities of an app with replicas that its pause in an environment skips. Halted ones are left out.
    func activitiesPassingOver(_ environment: PushEnvironment, of app: AppID, limit: Int) throws -> [ActivityID]
    /// Apps that are paused in an environment.
    func pausedApps() throws -> [App]
    /// The moment after `now` at which the next of these activities that may be sent for becomes due; nil if none
    /// does.
    func nextDue(after now: Instant, in shards: Shards) throws -> Instant?
}

extension Ledger {
    package func dueActivities(at now: Instant, limit: Int) throws -> [DueActivity] {
        try dueActivities(at: now, limit: limit, in: .all)
    }

    package func nextDue(after now: Instant) throws -> Instant? { try nextDue(after: now, in: .all) }

    package func unansweredStarts(limit: Int) throws -> [Replica] { try unansweredStarts(limit: limit, in: .all) }
}

/// The nodes on the store, and their leases.
package protocol NodeLedger: AnyObject {
    /// The nodes that take part in the pushing, in the order of their ids' bytes.
    func nodes() throws -> [NodeRecord]
    /// Stores a node in place of the former record with its id.
    func put(_ node: NodeRecord) throws
    func removeNode(_ id: NodeID) throws
    /// All leases, in order of their shards.
    func nodeLeases() throws -> [NodeLease]
    /// The leases that a node has, in order of their shards.
    func nodeLeases(of owner: NodeID) throws -> [NodeLease]
    /// Returns the lease; nil if no node ever had it. A transaction that reads the lease and then writes commits only
    /// if the lease was not replaced meanwhile.
    func nodeLease(of shard: Int) throws -> NodeLease?
    /// The moment at which a source has all uses again, of which all nodes together took; nil if nothing is stored.
    func fullAt(_ source: LimitedSource) throws -> Instant?
    func put(fullAt: Instant, of source: LimitedSource) throws
    /// Removes sources that had all uses again before the given moment.
    ///
    /// - Returns: How many it removed.
    func removeSources(fullBefore moment: Instant, limit: Int) throws -> Int
    /// The provider token that nodes last agreed on; nil if there is none.
    func sharedToken(of fingerprint: String) throws -> SharedToken?
    /// Stores a token in place of the former one of its key.
    func put(_ token: SharedToken) throws
    func removeSharedTokens(issuedBefore moment: Instant) throws
    /// Replaces the lease by compare-and-set.
    ///
    /// - Parameter former: the lease as it was read; nil if there was none.
    /// - Returns: whether `former` was still stored.
    func replace(_ former: NodeLease?, by lease: NodeLease) throws -> Bool
}

/// Apps and their keys.
package protocol AppLedger: AnyObject {
    /// Finds an app, even if it is being removed. The other look-ups find no such app.
    func app(_ id: AppID) throws -> App?
    func app(bundleID: String) throws -> App?
    func app(publicKey: String) throws -> App?
    /// All apps, in order of their ids. There are few.
    func apps() throws -> [App]
    /// Stores a new app; the id in the result is the store's.
    func insertApp(bundleID: String, name: String, publicKey: String, at now: Instant) throws -> App
    /// Stores the change of an app. `Transaction.update(_:from:)` records what happened with it (R15).
    func update(unrecorded app: App) throws
    /// Stores the key of an app for one environment in place of the former one.
    func put(_ key: APNSKey) throws
    func apnsKeys(of app: AppID) throws -> [APNSKey]
    func removeAPNSKey(of app: AppID, _ environment: PushEnvironment) throws
    /// Returns the profile of a type; nil if none is stored.
    func profile(of type: String, in app: AppID) throws -> TypeProfile?
    /// Stores a profile in place of the former one.
    func put(_ profile: TypeProfile) throws
    func insert(_ key: APIKey) throws -> APIKey
    func apiKey(hash: SecretHash) throws -> APIKey?
    func apiKey(_ id: Int64) throws -> APIKey?
    /// Keys for an API that have this identifier and a public key, newest first. Revoked keys are left out.
    func apiKeys(of plane: KeyPlane, identifier: String, limit: Int) throws -> [APIKey]
    /// Whether a key for an API was ever made.
    func hasKeys(of plane: KeyPlane) throws -> Bool
    /// The keys of an app, or the operator's, in order of their ids.
    func apiKeys(of app: AppID?) throws -> [APIKey]
    func update(_ key: APIKey) throws
    func removeAPIKey(_ id: Int64) throws
    /// Records when a key was used, if no later use is recorded. A removed key is ignored.
    func noteUse(ofAPIKey id: Int64, at moment: Instant) throws
}

/// The schemas of types in the builds of an app, and the builds that an activity's phones have.
package protocol SchemaLedger: AnyObject {
    /// The schemas of a type, in the order of the builds' bytes.
    func schemas(of type: String, in app: AppID) throws -> [TypeSchema]
    /// The types above a name that have a schema, a profile or kept numbers, in the order of the names' bytes.
    func knownTypes(in app: AppID, after name: String, limit: Int) throws -> [KnownType]
    /// Whether a type has schemas.
    func hasSchemas(of type: String, in app: AppID) throws -> Bool
    /// Returns the schema that was pushed for exactly this build.
    func schema(of type: String, build: String, in app: AppID) throws -> TypeSchema?
    /// Stores a schema in place of the build's former one.
    func put(_ schema: TypeSchema) throws
    /// - Returns: whether there was one.
    func removeSchema(of type: String, build: String, in app: AppID) throws -> Bool
    /// Builds of phones that have or had a replica of an activity, up to ``TypeSchema/buildsPerActivity``.
    func builds(of activity: ActivityID) throws -> Set<String>
    /// Records that a phone with a build has a replica of an activity.
    func note(_ build: String, of activity: ActivityID) throws
    /// Whether a phone with a build has a replica of an activity that may still show something.
    func hasReplica(of activity: ActivityID, build: String) throws -> Bool
    /// The builds of an audience's devices.
    func builds(in audience: Audience, of app: AppID) throws -> Set<String>
    /// The builds of the audience's devices that have a replica of an activity.
    func builds(of activity: ActivityID, in audience: Audience, of app: AppID) throws -> Set<String>
}

/// Answers that are kept for repeated requests.
package protocol AnswerLedger: AnyObject {
    /// Returns the kept answer to an app's request with this key. A nil app finds an operator's request that names no
    /// app.
    func answeredRequest(key: String, of app: AppID?) throws -> AnsweredRequest?
    /// Keeps an answer in place of an older one with its key.
    func keep(_ answered: AnsweredRequest) throws
    /// Removes answers from before a moment, oldest first, up to a limit.
    ///
    /// - Returns: how many it removed.
    func forgetAnswers(before moment: Instant, limit: Int) throws -> Int
}

/// Devices, their users and start tokens.
package protocol DeviceLedger: AnyObject {
    func device(_ id: DeviceID) throws -> Device?
    func device(installation: String, in app: AppID) throws -> Device?
    /// Finds a device by its secret. Devices of an app that is being removed are not found.
    func device(secret: SecretHash) throws -> Device?
    /// Stores a new device; the id in the result is the store's.
    func insert(_ device: NewDevice) throws -> Device
    func update(_ device: Device) throws
    /// Records that the device has reported up to a sequence, unless it has reported as much or registered anew.
    ///
    /// - Returns: whether it was recorded.
    func advance(_ device: DeviceID, epoch: Int, to sequence: Int, at now: Instant) throws -> Bool
    func setSecret(_ hash: SecretHash, of device: DeviceID) throws
    /// Stores a device that is forgotten: without secret, start tokens and traits. Its installation becomes free.
    func forget(_ device: Device) throws
    /// Devices of the audience with ids above `id`, in order of their ids.
    func devices(in audience: Audience, of app: AppID, after id: DeviceID, limit: Int) throws -> [Device]
    /// Phones of an app that took over places of a user and have not named theirs since, in order of their ids.
    func devices(formerlyOf user: String, in app: AppID, limit: Int) throws -> [DeviceID]
    func startToken(of device: DeviceID, type: String) throws -> StartToken?
    func startTokens(of device: DeviceID) throws -> [StartToken]
    /// Devices of an app that hold a start token, in order of their ids. There is at most one, unless a token was
    /// stored by other means than ``put(_:in:)``.
    func devices(withStartToken token: PushToken, in app: AppID) throws -> [DeviceID]
    /// Stores a start token. A token that another device of the app holds moves to this device.
    func put(_ token: StartToken, in app: AppID) throws
    func removeStartToken(of device: DeviceID, type: String) throws
    /// Start tokens of an app that are in quarantine.
    func suspectStartTokens(in app: AppID, limit: Int) throws -> [StartToken]
    /// Start tokens of an app that count as dead, after one of them, in order of devices and types.
    func deadStartTokens(in app: AppID, after device: DeviceID, type: String, limit: Int) throws -> [StartToken]
    /// The traits that the app reports for a device; empty if there are none.
    func deviceProfile(of device: DeviceID) throws -> DeviceProfile
    func put(_ profile: DeviceProfile, of device: Device) throws
    /// The traits that the backend sets on a device; empty if there are none.
    func deviceTraits(of device: DeviceID) throws -> Traits
    func put(_ traits: Traits, of device: Device) throws
    /// Returns the name if it belongs to the backend; nil otherwise. Storing a user or a device's traits makes their
    /// names the backend's.
    func backendName(_ name: TraitName, in app: AppID) throws -> BackendName?
}

/// Users and segments.
package protocol PeopleLedger: AnyObject {
    func user(_ externalID: String, in app: AppID) throws -> User?
    /// Users with ids above `externalID`, in the order of the ids' bytes.
    func users(in app: AppID, after externalID: String, limit: Int) throws -> [User]
    /// The id of the user with an alias.
    func user(of alias: UserAlias, in app: AppID) throws -> String?
    /// Stores a user in place of the former one with that id. None of the aliases may be another user's.
    func put(_ user: User) throws
    /// Removes everything stored about a user. Devices keep the user's id.
    func removeUser(_ externalID: String, of app: AppID) throws
    func segment(_ name: String, in app: AppID) throws -> Segment?
    /// Segments with names above `name`, in the order of the names' bytes.
    func segments(in app: AppID, after name: String, limit: Int) throws -> [Segment]
    /// Stores a segment in place of the former one of that name.
    func put(_ segment: Segment) throws
    /// - Returns: whether there was one.
    func removeSegment(_ name: String, of app: AppID) throws -> Bool
}

/// Live audiences, and the devices that may have joined one.
package protocol LiveLedger: AnyObject {
    /// The live audience with devices that are started with the attributes of this declaration.
    func liveAudience(of activity: ActivityID, version: Version) throws -> LiveAudience?
    func liveAudiences(of app: AppID, limit: Int) throws -> [LiveAudience]
    /// Live audiences of all apps with devices that have not been looked at.
    func unlookedLiveAudiences(limit: Int) throws -> [LiveAudience]
    /// Stores a live audience in place of the former one with the same declaration.
    func put(_ live: LiveAudience) throws
    func remove(_ live: LiveAudience) throws
    /// Records that a device has to be looked at.
    func noteChanged(_ device: DeviceID) throws
    /// Devices that have to be looked at, in the order in which they were recorded.
    func changedDevices(limit: Int) throws -> [DeviceID]
    func removeChanged(_ device: DeviceID) throws
}

/// The members of requests, and the lists of those that are pending.
package protocol MemberLedger: AnyObject {
    /// Ids of the audience's devices above `id`, in order, up to a limit.
    func deviceIDs(in audience: Audience, of app: AppID, after id: DeviceID, limit: Int) throws -> [DeviceID]
    /// Whether a device belongs to an audience of any size.
    func isMember(_ device: DeviceID, of audience: Audience, in app: AppID) throws -> Bool
    /// Ordinals of an activity's replicas on the audience's devices, unordered, up to a limit.
    func ordinals(of activity: ActivityID, in audience: Audience, of app: AppID, limit: Int) throws -> [Int]
    /// Stores a list with its members; the id in the result is the store's.
    func insert(_ list: MemberList, members: [MemberRuns]) throws -> MemberList
    /// Lists with ids above `id`, in order of their ids.
    func memberLists(after id: Int64, limit: Int) throws -> [MemberList]
    /// The lists of one app with ids above `id`, in order of their ids.
    func memberLists(of app: AppID, after id: Int64, limit: Int) throws -> [MemberList]
    /// The lists of one activity, in order of their ids.
    func memberLists(of activity: ActivityID, limit: Int) throws -> [MemberList]
    /// The number of lists of an app that wait, counted up to a limit.
    func memberListCount(of app: AppID, limit: Int) throws -> Int
    /// Pending members of a list, in order. There are fewer than the limit if a chunk of the list ends there.
    func pending(of list: MemberList, limit: Int) throws -> [Int64]
    /// Stores the progress of a list, and removes the part that is not needed any more.
    func update(_ list: MemberList) throws
    func remove(_ list: MemberList) throws
}

extension MemberLedger {
    package func deviceIDs(in audience: Audience, of app: AppID, limit: Int) throws -> [DeviceID] {
        try deviceIDs(in: audience, of: app, after: DeviceID(rawValue: 0), limit: limit)
    }
}

/// The log of tokens that were answered and are not set yet.
package protocol ArrivalLedger: AnyObject {
    /// Returns the card of this instance if it is in the ring, as most reported cards are.
    func ringCard(ofInstance instance: String, on device: DeviceID) throws -> RingCard?
    /// Appends arrivals in this order. Their ids in the log are the store's.
    func append(_ arrivals: [Arrival]) throws
    func arrival(_ id: Int64) throws -> Arrival?
    /// The arrivals of a device, in order of their ids.
    func arrivals(of device: DeviceID) throws -> [Arrival]
    /// The oldest arrivals of an app, in order of their ids.
    func arrivalPlaces(of app: AppID, limit: Int) throws -> [ArrivalPlace]
    /// The length of the log from the oldest to the newest arrival. It is at least the number of arrivals.
    func arrivalSpan() throws -> Int
    /// The length of the log from the oldest to the newest arrival of an app. Arrivals of other apps in between count
    /// too.
    func arrivalSpan(of app: AppID) throws -> Int
    /// Removes arrivals. This is cheapest if their ids are consecutive.
    func removeArrivals(_ ids: [Int64]) throws
}

/// Activities, their declarations, and the operations that made these.
package protocol ActivityLedger: AnyObject {
    func activity(_ id: ActivityID) throws -> Activity?
    /// The newest generation of a name.
    func newestActivity(named name: String, in app: AppID) throws -> Activity?
    /// Generations of a name, newest first.
    func activities(named name: String, in app: AppID, limit: Int) throws -> [Activity]
    /// The newest generation of each name above `name`, in order of the names' bytes.
    func newestActivities(in app: AppID, after name: String, limit: Int) throws -> [Activity]
    /// The first name above `name`, in order of the names' bytes.
    func activityName(in app: AppID, after name: String) throws -> String?
    /// The names of the newest activities, newest first. A name is listed once for each of its generations.
    func newestActivityNames(of app: AppID, limit: Int) throws -> [String]
    /// The app's activities with ids above `id`, in order of their ids.
    func activities(of app: AppID, after id: ActivityID, limit: Int) throws -> [ActivityID]
    /// Activities above `id` with a user id that contains a text, in order of their ids. It reads all activities of the
    /// app. Some results may contain the text in other letter case.
    func activities(naming user: String, in app: AppID, after id: ActivityID, limit: Int) throws -> [ActivityID]
    /// Opens a generation; the id in the result is the store's.
    func insertActivity(
        named name: String, in app: AppID, generation: Int, type: String?, at now: Instant
    ) throws -> Activity
    func update(_ activity: Activity) throws
    func insert(_ declaration: Declaration) throws
    /// Erases the content of a declaration. Its version and its times stay.
    func eraseDeclaration(_ version: Version, of activity: ActivityID) throws
    /// Stores a declaration again. Only ``Declaration/releasedAt`` ever changes.
    func update(_ declaration: Declaration) throws
    func declaration(_ version: Version, of activity: ActivityID) throws -> Declaration?
    /// Stores an operation; the id in the result is the store's.
    func insert(_ operation: Operation) throws -> Operation
    func operation(_ id: Int64, in app: AppID) throws -> Operation?
    func update(_ operation: Operation) throws
    /// The operation that declared a version at a moment; nil if none did, or if it is no longer kept.
    func operation(declaring version: Version, of activity: ActivityID, at moment: Instant) throws -> Operation?
    /// Operations of requests with an id, the server's or the caller's own, oldest first.
    func operations(ofRequest id: String, in app: AppID, limit: Int) throws -> [Operation]
    /// Operations of an activity that are not complete and have no pending members, oldest first.
    func openOperations(of activity: ActivityID, limit: Int) throws -> [Operation]
    /// Operations of a source with activities, in order of the activities and their ids, after a given one.
    func operations(
        of source: String, in app: AppID, after activity: ActivityID, id: Int64, limit: Int
    ) throws -> [Operation]
    /// Operations with a source that were accepted in a period, oldest first.
    func operationsWithSource(
        in app: AppID, from start: Instant, to end: Instant, limit: Int
    ) throws -> [Operation]
}

/// Pages of the ring; see ``RingPage``. A replica that is read has its page's credit in it. A replica that is written
/// counts from the next time on that its page is taken, and its page becomes unseen.
package protocol RingLedger: AnyObject {
    /// Returns a page; nil if it was never stored.
    func ringPage(_ number: Int, of activity: ActivityID) throws -> RingPage?
    func put(_ page: RingPage) throws
    /// The highest number of a stored page; nil if there is none.
    func lastRingPage(of activity: ActivityID) throws -> Int?
    /// Stores how often a page was taken, and makes it unseen. Its other values stay.
    func leaveUnseen(_ page: RingPage) throws
    /// Numbers of pages that have not seen a version, in order. Version 0 finds the unseen pages.
    func ringPages(of activity: ActivityID, notSeen version: Version, after number: Int, limit: Int) throws -> [Int]
    /// Numbers of pages that may have a replica that is behind, in order: pages that have not seen a version, or on
    /// which a replica waits or was skipped.
    func ringPagesBehind(of activity: ActivityID, newest version: Version, limit: Int) throws -> [Int]
    /// Makes the pages unseen that have a `lookAt` at or before a moment.
    func wakeRingPages(of activity: ActivityID, at now: Instant) throws
    /// Makes the pages up to this number unseen, as if a replica of each had changed.
    func changeRingPages(of activity: ActivityID, upTo number: Int) throws
    /// Whether a page that has seen a version or a later one has a replica that is behind and waits.
    func ringOwes(of activity: ActivityID, from version: Version) throws -> Bool
    /// Whether a page that has been seen has a replica that a pause skipped.
    func ringHasSkipped(of activity: ActivityID) throws -> Bool
    /// Makes the pages with such replicas unseen.
    func recallRingPages(of activity: ActivityID) throws
    /// The soonest `lookAt` of the pages that have seen a version or a later one; nil if there is none.
    func nextRingLook(of activity: ActivityID, from version: Version) throws -> Instant?
    /// The members of the ring on a page, in order of their ordinals.
    func ringMembers(onPage number: Int, of activity: ActivityID) throws -> RingMembers
    /// Replicas of a page that are not members of the ring and may become due, in order of their ordinals.
    func exceptions(onPage number: Int, of activity: ActivityID) throws -> [Replica]
    /// The devices of a page's replicas, by ordinal.
    func devices(onPage number: Int, of activity: ActivityID) throws -> [Int: DeviceID]
    /// The languages of phones with a replica on a page, by ordinal. Phones that have named none are left out.
    func languages(onPage number: Int, of activity: ActivityID) throws -> [Int: String]
    /// Ordinals of replicas that the page's next credit does not hold for: they are no members of the ring, or have
    /// changed since the page was last taken.
    func strangers(onPage page: RingPage) throws -> [Int]
}

/// Replicas.
package protocol ReplicaLedger: AnyObject {
    func insert(_ replica: Replica) throws
    func update(_ replica: Replica) throws
    /// Stores a replica. Columns that equal those of `former`, as it was read, need not be written.
    func update(_ replica: Replica, from former: Replica) throws
    func replica(_ ordinal: Int, of activity: ActivityID) throws -> Replica?
    /// The device's replica with this instance, under any name.
    func replica(ofInstance instance: String, on device: DeviceID) throws -> Replica?
    /// Whether an activity without pages of the ring has replicas, and all of them are live. Less is read than whole
    /// replicas.
    func allReplicasLive(of activity: ActivityID) throws -> Bool
    /// Replicas with ordinals above `ordinal`, in order of their ordinals.
    func replicas(of activity: ActivityID, after ordinal: Int, limit: Int) throws -> [Replica]
    /// The device's replicas of every generation of a name, newest generation first.
    func replicas(of device: DeviceID, named name: String, in app: AppID) throws -> [Replica]
    /// The device's replicas after a given one, in order of activities and ordinals.
    func replicas(of device: DeviceID, after activity: ActivityID, ordinal: Int, limit: Int) throws -> [Replica]
    /// The device's replicas that may still run and belong to activities of a type: ``Replica/Phase/mayRun``.
    func runningReplicas(of device: DeviceID, type: String, in app: AppID) throws -> [Replica]
    /// The device's replicas with a remote start that leaves, or was to leave, between two moments.
    func remoteStarts(
        of device: DeviceID, after earliest: Instant, before latest: Instant, limit: Int
    ) throws -> [Replica]
    /// Replicas of an app that are suspect; see ``Replica/isSuspect``.
    func suspectReplicas(in app: AppID, limit: Int) throws -> [Replica]
    /// Replicas of an activity with a dead token and ordinals above `ordinal`, in order of their ordinals.
    func deadReplicas(of activity: ActivityID, after ordinal: Int, limit: Int) throws -> [Replica]
    /// Replicas of a device with a dead token, newest activity first.
    func deadReplicas(of device: DeviceID, limit: Int) throws -> [Replica]
    /// Replicas of some activities with a start that was sent and not answered.
    func unansweredStarts(limit: Int, in shards: Shards) throws -> [Replica]
    /// The history of the database; nil before the first start of a server.
    func history() throws -> History?
    /// Begins a history. Answers to phones name it from now on.
    func begin(_ history: History) throws
    /// The number of the newest change of person on a phone of an app; 0 if there was none. See ``PersonChanges``.
    func personNumber(of app: AppID) throws -> Int
    /// Raises the number for a change of person.
    ///
    /// - Returns: the new number.
    func raisePersonNumber(of app: AppID) throws -> Int
    func alertMark(_ key: AlertMark.Key) throws -> AlertMark?
    /// Inserts the mark of a page that is about to leave.
    func insert(_ mark: AlertMark) throws
    /// Changes a mark, if it is still there.
    func update(_ mark: AlertMark) throws
    func removeAlertMark(_ key: AlertMark.Key) throws
    /// The marks of some activities' pages, by their keys.
    func alertMarks(limit: Int, in shards: Shards) throws -> [AlertMark]
}

/// The removal of old rows in all apps, a limited number at a time.
package protocol PruningLedger: AnyObject {
    /// Looks at the oldest `limit` operations, and removes those that were accepted before a moment.
    ///
    /// - Returns: how many it removed.
    func removeOperations(acceptedBefore moment: Instant, limit: Int) throws -> Int
    /// Activities that ended before a moment, in the order of their ends.
    func endedActivities(before moment: Instant, limit: Int) throws -> [ActivityID]
    /// - Returns: how many it removed.
    func removeReplicas(of activity: ActivityID, limit: Int) throws -> Int
    /// - Returns: how many it removed.
    func removeDeclarations(of activity: ActivityID, limit: Int) throws -> Int
    /// Removes an activity without replicas and declarations, with all that belongs to it alone and the channels that
    /// it has lost. Its operations and a channel that rests stay.
    func removeActivity(_ id: ActivityID) throws
    /// Activities with ids above `id`, in order of their ids.
    func activities(after id: ActivityID, limit: Int) throws -> [Activity]
    /// Declarations above `version`, in order of their versions.
    func declarations(of activity: ActivityID, after version: Version, limit: Int) throws -> [Declaration]
    func removeDeclaration(_ version: Version, of activity: ActivityID) throws
    /// Devices with ids above `id`, in order of their ids.
    func devices(after id: DeviceID, limit: Int) throws -> [Device]
    /// Removes a device without start tokens, unless it has replicas.
    func removeDevice(_ id: DeviceID) throws
}
